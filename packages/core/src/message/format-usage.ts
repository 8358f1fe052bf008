import { lazily } from "../concurrency/lazily.ts"

// Each takes a browser some milliseconds to make: none is made before something is shown with it.
const compact = lazily(() => new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }))
const dollars = lazily(() => new Intl.NumberFormat("en", { style: "currency", currency: "USD" }))

/** A token count: 940, 12.4K, 1.2M. */
export function formatTokens(tokens: number): string {
  return compact().format(tokens)
}

/** USD: $0, under a cent with four digits, else two. */
export function formatCost(usd: number): string {
  if (usd === 0) return "$0"
  if (usd < 0.0001) return "<$0.0001"
  return usd < 0.01 ? `$${usd.toFixed(4)}` : dollars().format(usd)
}

/** "12.4K tokens · $0.08"; "" when nothing was used. A cost of 0 is left out: local and rehearsal models have none. */
export function formatUsage(tokens: number, cost: number): string {
  return [
    ...(tokens > 0 ? [`${formatTokens(tokens)} ${tokens === 1 ? "token" : "tokens"}`] : []),
    ...(cost > 0 ? [formatCost(cost)] : []),
  ].join(" · ")
}
