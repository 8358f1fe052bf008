import { formatDuration } from "@docket/core/duration"
import type { AssistantMessage } from "@docket/core/schema"
import type { ReactNode } from "react"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { programFacts } from "./program-facts.ts"
import type { TurnTotals } from "./row.ts"
import styles from "./rows.module.css"

interface MetaRowProps {
  message: AssistantMessage
  totals: TurnTotals | null
  /** Actions for the turn. */
  end?: ReactNode
}

/**
 * The quiet line that ends a turn: agent, model, duration and usage. Figures are shown only when all of them are known.
 */
export function MetaRow({ message, totals, end }: MetaRowProps) {
  return (
    <p className={styles.meta}>
      <span>{message.agent}</span>
      {message.program === undefined ? (
        <span>
          {message.variant === undefined ? message.model.modelID : `${message.model.modelID} ${message.variant}`}
        </span>
      ) : (
        programFacts(message.program).map(({ text, why }) => (
          <span key={text} title={why}>
            {text}
          </span>
        ))
      )}
      {totals === null ? null : (
        <>
          <span>{formatDuration(totals.elapsed)}</span>
          {totals.steps > 1 ? <span>{formatCount(totals.steps, "step")}</span> : null}
          {totals.tokens > 0 || totals.cost > 0 ? <CostTokens tokens={totals.tokens} cost={totals.cost} /> : null}
          {totals.changed === "" ? null : <span>{totals.changed}</span>}
        </>
      )}
      {end}
    </p>
  )
}
