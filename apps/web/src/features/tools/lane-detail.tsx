import type { ReactNode } from "react"
import { RetryNote } from "../task/retry-note.tsx"
import type { RetryStatus } from "../task/retry-text.ts"
import { AnswerList } from "./answers.tsx"
import { laneLabels } from "./lane-labels.ts"
import styles from "./lanes.module.css"
import { TaskFigures } from "./task-figures.tsx"
import type { TaskLane } from "./task-lanes.ts"
import { taskNow } from "./task-now.ts"

interface LaneDetailProps {
  lane: TaskLane
  /** Epoch ms. */
  now: number
  /** The current step of a task whose call does not report it. */
  step?: string | undefined
  /** Its provider failed and is retried. */
  retry?: RetryStatus | null
  action?: ReactNode
}

/** Three lines about one lane: its current step or result, its usage, and what delayed it. */
export function LaneDetail({ lane, now, step, retry = null, action }: LaneDetailProps) {
  const { task, record, needsYou } = lane
  const number =
    record === null ? [] : [`#${record.number}`, ...(record.mode === "background" ? ["in the background"] : [])]
  return (
    <span className={styles.detail}>
      <span className={styles.now}>
        {needsYou || task.state !== "running" ? (
          taskNow(task, needsYou)
        ) : retry === null ? (
          (step ?? taskNow(task, needsYou))
        ) : (
          <RetryNote status={retry} className={styles.retry} />
        )}
      </span>
      <span>
        <TaskFigures task={task} />
      </span>
      <span>
        <span>{[...number, ...laneLabels(task.times, lane.spans, now)].join(" · ")}</span>
        {action}
      </span>
      {record === null ? null : <AnswerList task={record} />}
    </span>
  )
}
