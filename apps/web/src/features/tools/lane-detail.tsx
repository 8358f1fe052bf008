import type { ReactNode } from "react"
import { laneWords } from "./lane-words.ts"
import styles from "./lanes.module.css"
import { TaskFigures } from "./task-figures.tsx"
import type { TaskLane } from "./task-lanes.ts"
import { taskNow } from "./task-now.ts"

/** Three lines on one lane: what it does now or has found, what it has used, and what held it up. `now` is epoch ms. */
export function LaneDetail({ lane, now, action }: { lane: TaskLane; now: number; action?: ReactNode }) {
  const { task, record, needsYou } = lane
  const number =
    record === null ? [] : [`#${record.number}`, ...(record.mode === "background" ? ["in the background"] : [])]
  return (
    <span className={styles.detail}>
      <span className={styles.now}>{taskNow(task, needsYou)}</span>
      <span>
        <TaskFigures task={task} />
      </span>
      <span>
        <span>{[...number, ...laneWords(lane.stretches, now)].join(" · ")}</span>
        {action}
      </span>
    </span>
  )
}
