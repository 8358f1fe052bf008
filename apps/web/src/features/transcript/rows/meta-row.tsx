import { formatDuration } from "@docket/core/duration"
import type { AssistantMessage } from "@docket/core/schema"
import { totalTokens } from "@docket/core/usage"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import type { TurnTotals } from "./row.ts"
import styles from "./rows.module.css"

/** Who answered, how long it took and what it used: the quiet line that ends a turn. */
export function MetaRow({ message, totals }: { message: AssistantMessage; totals: TurnTotals | null }) {
  const tokens = totals?.tokens ?? totalTokens(message.tokens)
  const cost = totals?.cost ?? message.cost
  const elapsed = totals?.elapsed ?? (message.time.completed ?? message.time.created) - message.time.created
  return (
    <p className={styles.meta}>
      <span>{message.agent}</span>
      <span>
        {message.variant === undefined ? message.model.modelID : `${message.model.modelID} ${message.variant}`}
      </span>
      <span>{formatDuration(elapsed)}</span>
      {totals && totals.steps > 1 ? <span>{formatCount(totals.steps, "step")}</span> : null}
      {tokens > 0 || cost > 0 ? <CostTokens tokens={tokens} cost={cost} /> : null}
    </p>
  )
}
