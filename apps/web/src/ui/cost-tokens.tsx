import { formatCost, formatTokens } from "./format.ts"

/** "12.4K tokens · $0.08" in tabular figures. A cost of 0 is left out: local and rehearsal models have none. */
export function CostTokens({ cost, tokens }: { cost: number; tokens: number }) {
  return (
    <span className="tabular">
      {formatTokens(tokens)} tokens{cost > 0 ? ` · ${formatCost(cost)}` : ""}
    </span>
  )
}
