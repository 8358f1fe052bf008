"use client"

import type { Agent } from "@docket/core/schema"
import { Button, Menu } from "@mantine/core"
import { Check, ChevronDown } from "lucide-react"
import styles from "./composer.module.css"

/** Agents that a person can talk to directly. */
export function primaryAgents(agents: Agent[]): Agent[] {
  return agents.filter((agent) => agent.mode !== "subagent" && !agent.hidden)
}

/** Chooses who answers. */
export function AgentPicker(props: { agents: Agent[]; current: string; onPick: (name: string) => void }) {
  return (
    <Menu width={300} position="top-start">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={styles.picker ?? ""}
          aria-label={`Agent: ${props.current}`}
          rightSection={<ChevronDown size={12} aria-hidden />}
        >
          {props.current}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {primaryAgents(props.agents).map((agent) => (
          <Menu.Item
            key={agent.name}
            aria-current={agent.name === props.current ? "true" : undefined}
            rightSection={agent.name === props.current ? <Check size={14} aria-label="chosen" /> : null}
            onClick={() => props.onPick(agent.name)}
          >
            <span className={styles.choice}>{agent.name}</span>
            <span className={styles.choiceHint}>{agent.description}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
