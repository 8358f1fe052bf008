"use client"

import type { Agent } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { Check } from "lucide-react"
import { PageMenu } from "../../shell/page-menu.tsx"
import { Choice } from "../../ui/choice.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import { primaryAgents } from "./primary-agents.ts"

export interface AgentMenuProps {
  agents: Agent[]
  current: string
  onPick: (name: string) => void
}

export function AgentMenu(props: AgentMenuProps) {
  return (
    <PageMenu width={300} position="top-start" defaultOpened returnFocus>
      <Menu.Target>
        <PickerButton name="Agent" value={props.current} keeps />
      </Menu.Target>
      <Menu.Dropdown>
        {primaryAgents(props.agents).map((agent) => (
          <Menu.Item
            key={agent.name}
            aria-current={agent.name === props.current ? "true" : undefined}
            rightSection={agent.name === props.current ? <Check size={14} aria-label="chosen" /> : null}
            onClick={() => props.onPick(agent.name)}
          >
            <Choice name={agent.name} hint={agent.description} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PageMenu>
  )
}
