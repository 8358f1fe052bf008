import { formatDuration } from "@docket/core/duration"
import type { TreeBudget } from "@docket/core/schema"
import { formatCost, formatTokens, totalTokens } from "@docket/core/usage"
import { Elapsed } from "../../ui/elapsed.tsx"
import styles from "./tasks.module.css"
import { treeClock } from "./tree-clock.ts"

/**
 * Usage of a whole tree compared to its limits: all tasks together, and the time during which anything in it worked.
 */
export function TreeUsage({ budget, working }: { budget: TreeBudget; working: boolean }) {
  const { limits, usage, worked } = budget
  const tokens = totalTokens(usage.tokens)
  return (
    <section className={styles.usage} aria-label="Limits of all tasks together">
      {limits.tokens === null ? null : (
        <Meter
          name="Tokens of all tasks"
          used={formatTokens(tokens)}
          of={formatTokens(limits.tokens)}
          share={tokens / limits.tokens}
        />
      )}
      {limits.toolCalls === null ? null : (
        <Meter
          name="Tool calls of all tasks"
          used={`${usage.toolCalls}`}
          of={`${limits.toolCalls}`}
          share={usage.toolCalls / limits.toolCalls}
        />
      )}
      {limits.cost === null ? null : (
        <Meter
          name="Cost of all tasks"
          used={formatCost(usage.cost)}
          of={formatCost(limits.cost)}
          share={usage.cost / limits.cost}
        />
      )}
      {limits.wallClock === null ? null : (
        <span className={styles.meter} data-near={worked / limits.wallClock >= near}>
          <span>
            All time <Elapsed {...treeClock(budget, working)} /> of {formatDuration(limits.wallClock)}
          </span>
        </span>
      )}
    </section>
  )
}

/** The text warns from this share of a limit. */
const near = 0.8

function Meter({ name, used, of, share }: { name: string; used: string; of: string; share: number }) {
  const text = `${used} of ${of}`
  return (
    <span className={styles.meter} data-near={share >= near}>
      {name} {text}
      <progress value={Math.min(1, share)} max={1} aria-label={`${name}: ${text}`} />
    </span>
  )
}
