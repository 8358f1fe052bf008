"use client"

import { useTranscript, useTreeState } from "@docket/client/react"
import { TasksPanel } from "../tasks/tasks-panel.tsx"
import { visibleTasks } from "../tree/visible-tasks.ts"
import { AgentsRail } from "./agents-rail.tsx"

interface AgentsPanelProps {
  rootID: string
  /** The session on screen. */
  current: string
  onOpenSession(sessionID: string): void
}

/** The agents of the tree: its tasks, or its sessions where nothing was delegated as a task. */
export function AgentsPanel(props: AgentsPanelProps) {
  const store = useTranscript(props.rootID)
  const delegated = useTreeState(store, ({ tree }) => tree !== null && visibleTasks(tree).length > 0)
  return delegated ? <TasksPanel {...props} /> : <AgentsRail {...props} />
}
