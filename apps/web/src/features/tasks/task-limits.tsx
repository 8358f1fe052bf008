import type { TaskSummary } from "@docket/core/schema"
import { Elapsed } from "../../ui/elapsed.tsx"
import { formatCost, formatDuration, formatTokens } from "../../ui/format.ts"
import { totalTokens } from "../transcript/total-tokens.ts"
import styles from "./tasks.module.css"

/** From this share of a limit on the bar warns. */
const near = 0.8

/** What a running task may use and has used: one bar for each limit that is set. */
export function TaskLimits({ task }: { task: TaskSummary }) {
  const { limits, usage, time } = task
  const tokens = totalTokens(usage.tokens)
  return (
    <>
      {limits.cost === null ? null : <Bar name="Cost" used={usage.cost} limit={limits.cost} format={formatCost} />}
      {limits.tokens === null ? null : <Bar name="Tokens" used={tokens} limit={limits.tokens} format={formatTokens} />}
      {limits.toolCalls === null ? null : (
        <Bar name="Tool calls" used={usage.toolCalls} limit={limits.toolCalls} format={String} />
      )}
      {limits.wallClock === null || time.started === null ? null : (
        <span className={styles.limit}>
          <span>Time</span>
          <span className={styles.limitFigures}>
            <Elapsed start={time.started} end={null} /> of {formatDuration(limits.wallClock)}
          </span>
        </span>
      )}
    </>
  )
}

function Bar(props: { name: string; used: number; limit: number; format(value: number): string }) {
  const share = Math.min(1, props.used / props.limit)
  const text = `${props.format(props.used)} of ${props.format(props.limit)}`
  return (
    <span className={styles.limit}>
      <span>{props.name}</span>
      <progress
        className={styles.limitBar}
        data-near={share >= near}
        value={share}
        max={1}
        aria-label={`${props.name}: ${text}`}
      />
      <span className={styles.limitFigures}>{text}</span>
    </span>
  )
}
