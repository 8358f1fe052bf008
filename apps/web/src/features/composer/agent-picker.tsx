"use client"

import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import type { AgentMenuProps } from "./agent-menu.tsx"

const agentMenu = laterPart(() => import("./agent-menu.tsx").then((it) => it.AgentMenu))

export function AgentPicker(props: AgentMenuProps) {
  return (
    <OnDemand
      part={agentMenu}
      face={(open) => <PickerButton name="Agent" value={props.current} keeps onClick={open} />}
    >
      {(AgentMenu) => <AgentMenu {...props} />}
    </OnDemand>
  )
}
