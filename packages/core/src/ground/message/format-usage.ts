// By hand: a browser takes 30 ms and more to load what its own compact notation needs, before the first row is drawn.
const units = ["", "K", "M", "B", "T"]

/** A token count: 940, 12.4K, 1.2M. */
export function formatTokens(tokens: number): string {
  const tenths = (unit: number) => Math.round(tokens / (1_000 ** unit / 10))
  let unit = 0
  while (unit < units.length - 1 && tenths(unit) >= 10_000) unit += 1
  return `${tenths(unit) / 10}${units[unit]}`
}

/** USD: $0, under a cent with four digits, else two. */
export function formatCost(usd: number): string {
  if (usd === 0) return "$0"
  if (usd < 0.0001) return "<$0.0001"
  return usd < 0.01 ? `$${usd.toFixed(4)}` : `$${grouped(usd.toFixed(2))}`
}

function grouped(amount: string): string {
  return amount.replace(/\d(?=(?:\d{3})+\.)/g, "$&,")
}

/** "12.4K tokens · $0.08"; "" when nothing was used. A cost of 0 is left out: local and rehearsal models have none. */
export function formatUsage(tokens: number, cost: number): string {
  return [
    ...(tokens > 0 ? [`${formatTokens(tokens)} ${tokens === 1 ? "token" : "tokens"}`] : []),
    ...(cost > 0 ? [formatCost(cost)] : []),
  ].join(" · ")
}
