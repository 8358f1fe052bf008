import { formatCost, formatUsage } from "@docket/core/usage"
import type { ReactNode } from "react"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { TaskClock } from "../task/task-clock.tsx"
import styles from "./lanes.module.css"
import type { TaskView } from "./read-task.ts"

interface LaneLineProps {
  /** The status of the lane's work. */
  icon: ReactNode
  title: string
  agent: string
  /** Replaces the agent, which its colour already identifies. */
  note?: ReactNode
  track: ReactNode
  time: ReactNode
  figure: string
}

/** A lane in 28 px: status, title and agent, bar, duration and cost. */
export function LaneLine({ icon, title, agent, note, track, time, figure }: LaneLineProps) {
  return (
    <span className={styles.line}>
      <span className={styles.mark}>{icon}</span>
      <span className={styles.who}>
        <span className={styles.title}>
          <TextWithCode text={title} />
        </span>
        {note ?? <span className={styles.agent}>@{agent}</span>}
      </span>
      {track}
      <span className={styles.time}>{time}</span>
      <span className={styles.figure}>{figure}</span>
    </span>
  )
}

/** How long a task works or worked; "queued" before it starts. */
export function TaskTime({ task: { state, times } }: { task: TaskView }) {
  if (state === "queued") return "queued"
  return times === null ? null : <TaskClock times={times} short />
}

/** The cost of a task, or its tokens for models without a price. */
export function taskFigure({ cost, tokens }: Pick<TaskView, "cost" | "tokens">): string {
  return cost > 0 ? formatCost(cost) : formatUsage(tokens, 0)
}
