"use client"

import type { TaskView } from "../tools/read-task.ts"
import task from "../tools/task.module.css"
import { TaskLines } from "../tools/task-lines.tsx"
import tools from "../tools/tools.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"

interface TaskCardProps {
  task: TaskView
  waiting: boolean
}

/** A delegated task. A click opens the child session, also while it runs. */
export function TaskCard({ task: view, waiting }: TaskCardProps) {
  const { openSession } = useTranscriptActions()
  const child = view.sessionID
  return (
    <div className={tools.card} data-status={waiting ? "waiting" : view.state}>
      <button
        type="button"
        className={task.card}
        disabled={child === null}
        onClick={() => child !== null && openSession(child)}
      >
        <span className="visually-hidden">{`Open task ${view.description}, ${view.state}:`}</span>
        <TaskLines task={view} needsYou={waiting} />
      </button>
    </div>
  )
}
