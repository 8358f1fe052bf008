import type { TaskSummary } from "@docket/core/schema"
import { formatCost, formatTokens, formatUsage, totalTokens } from "@docket/core/usage"
import { formatCount } from "../../ui/format-count.ts"
import styles from "./tasks.module.css"

/** The bar warns from this share of a limit. */
const near = 0.8

/** Usage of a running task, compared to its limits if it has any. */
export function TaskUsage({ task: { limits, usage } }: { task: TaskSummary }) {
  const tokens = totalTokens(usage.tokens)
  const calls = usage.toolCalls
  return (
    <div className={styles.usage}>
      <Meter name="Tokens" used={tokens} limit={limits.tokens} format={formatTokens} noun="token" />
      <Meter name="Tool calls" used={calls} limit={limits.toolCalls} format={grouped} noun="call" />
      {usage.cost > 0 || limits.cost !== null ? (
        <Meter name="Cost" used={usage.cost} limit={limits.cost} format={formatCost} noun="" />
      ) : null}
    </div>
  )
}

const grouped = (count: number) => count.toLocaleString("en")

interface MeterProps {
  name: string
  used: number
  /** Null: there is no limit, and no bar. */
  limit: number | null
  format(value: number): string
  /** The unit; "" for an amount of money. */
  noun: string
}

function Meter({ name, used, limit, format, noun }: MeterProps) {
  // "1 of 12 calls": the noun agrees with the last number.
  const words = noun === "" || (limit ?? used) === 1 ? noun : `${noun}s`
  if (limit === null)
    return (
      <span className={styles.meter}>
        {format(used)} {words}
      </span>
    )
  const share = Math.min(1, used / limit)
  const text = `${format(used)} of ${format(limit)}`
  return (
    <span className={styles.meter} data-near={share >= near}>
      {text} {words}
      <progress value={share} max={1} aria-label={`${name}: ${text}`} />
    </span>
  )
}

/** A short text about the usage of an ended task. */
export function usageText({ usage }: TaskSummary): string {
  const calls = usage.toolCalls > 0 ? formatCount(usage.toolCalls, "call") : ""
  return [calls, formatUsage(totalTokens(usage.tokens), usage.cost)].filter((figure) => figure !== "").join(" · ")
}
