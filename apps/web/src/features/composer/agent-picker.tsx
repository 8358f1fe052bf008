"use client"

import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import type { AgentMenuProps } from "./agent-menu.tsx"

const AgentMenu = lazy(() => loadPart(() => import("./agent-menu.tsx").then((it) => ({ default: it.AgentMenu }))))

/** Chooses who answers. */
export function AgentPicker(props: AgentMenuProps) {
  return (
    <OnDemand face={(open) => <PickerButton name="Agent" value={props.current} onClick={open} />}>
      <AgentMenu {...props} />
    </OnDemand>
  )
}
