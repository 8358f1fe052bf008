"use client"

import type { ToolPart } from "@docket/core/schema"
import { taskStatus } from "@docket/core/work-status"
import { statusLabel } from "../../../ui/status.ts"
import { taskStateLabel } from "../../task/task-state.ts"
import { Answers } from "../../tools/answers.tsx"
import type { TaskView } from "../../tools/read-task.ts"
import task from "../../tools/task.module.css"
import { TaskLines } from "../../tools/task-lines.tsx"
import tools from "../../tools/tools.module.css"
import { withLiveTask } from "../../tools/with-live-task.ts"
import { useIsAway, useLiveTask, useRetry } from "./live-task.ts"
import { ReviewLink } from "./review-link.tsx"
import { ToBackground } from "./to-background.tsx"
import { useTranscriptActions } from "./transcript-actions.ts"

interface TaskCardProps {
  part: ToolPart
  task: TaskView
  waiting: boolean
}

/** A delegated task. A click opens the child session, even while it runs. */
export function TaskCard({ part, task: taskOfCall, waiting }: TaskCardProps) {
  const { openSession } = useTranscriptActions()
  const live = useLiveTask(part)
  const view = withLiveTask(taskOfCall, live)
  const child = view.sessionID
  const retry = useRetry(child)
  const isAway = useIsAway()
  const isWaiting = taskStatus(view.state, isAway) === "away"
  const state = (isWaiting ? statusLabel.away : taskStateLabel[view.state]).toLowerCase()
  const blocking = live?.state === "running" && live.mode === "blocking"
  const reviewable = live !== null && live.state !== "queued" && live.state !== "running"
  return (
    <div className={tools.card} data-status={waiting ? "needs" : view.state}>
      <button
        type="button"
        className={task.card}
        disabled={child === null}
        onClick={() => child !== null && openSession(child)}
      >
        <span className="visually-hidden">{`Open task ${view.description}, ${state}:`}</span>
        <TaskLines task={view} needsYou={waiting} isAway={isAway} retry={retry} />
      </button>
      {live === null ? null : (
        <div className={task.foot}>
          <Answers task={live} />
          {blocking ? <ToBackground id={live.id} number={live.number} className={task.background ?? ""} /> : null}
          {reviewable ? <ReviewLink task={live} className={task.review ?? ""} /> : null}
        </div>
      )}
    </div>
  )
}
