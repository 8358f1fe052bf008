"use client"

import type { ToolPart } from "@docket/core/schema"
import type { TaskView } from "../tools/read-task.ts"
import task from "../tools/task.module.css"
import { TaskLines } from "../tools/task-lines.tsx"
import tools from "../tools/tools.module.css"
import { CopyLink } from "./copy-link.tsx"
import { useTranscriptActions } from "./transcript-actions.ts"

interface TaskCardProps {
  part: ToolPart
  task: TaskView
  waiting: boolean
  error: string | null
}

/** A delegated task. A click opens the child session, also while it runs. */
export function TaskCard({ part, task: view, waiting, error }: TaskCardProps) {
  const { openSession } = useTranscriptActions()
  const child = view.sessionID
  return (
    <div className={tools.card} data-status={waiting ? "waiting" : view.state}>
      <button
        type="button"
        className={task.card}
        disabled={child === null}
        aria-label={`Open task ${view.description}, ${view.state}`}
        onClick={() => child !== null && openSession(child)}
      >
        <TaskLines task={view} needsYou={waiting} />
      </button>
      <CopyLink partID={part.id} />
      {error === null ? null : <p className={tools.error}>{error}</p>}
    </div>
  )
}
