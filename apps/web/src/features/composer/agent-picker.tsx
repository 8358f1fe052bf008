"use client"

import type { Agent } from "@docket/core/schema"
import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"

const AgentMenu = lazy(() => loadPart(() => import("./agent-menu.tsx").then((it) => ({ default: it.AgentMenu }))))

export interface AgentPickerProps {
  agents: Agent[]
  current: string
  onPick: (name: string) => void
}

/** Chooses who answers. */
export function AgentPicker(props: AgentPickerProps) {
  return (
    <OnDemand face={(open) => <PickerButton name="Agent" value={props.current} onClick={open} />}>
      <AgentMenu {...props} />
    </OnDemand>
  )
}
