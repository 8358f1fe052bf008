import { formatUsage } from "@docket/core/usage"

/** "12.4K tokens · $0.08" in tabular figures; empty without usage. */
export function CostTokens({ cost, tokens }: { cost: number; tokens: number }) {
  return <span className="tabular">{formatUsage(tokens, cost)}</span>
}
