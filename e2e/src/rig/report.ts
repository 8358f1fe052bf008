import type { RoundResult, Row } from "./round.ts"

/** One line of a row: counts, figures and faults. */
export function reportLine({ name, expects = {} }: Row, results: readonly RoundResult[]): string {
  const faults = results.reduce((sum, each) => sum + each.faults.length, 0)
  const counts = new Map<string, number>()
  const figures = new Map<string, number[]>()
  for (const result of results) {
    for (const [what, count] of result.counts) counts.set(what, (counts.get(what) ?? 0) + count)
    for (const [what, values] of result.figures) figures.set(what, [...(figures.get(what) ?? []), ...values])
  }
  const parts = [
    `${name.padEnd(9)} ${results.length} rounds, ${faults} faults`,
    [...counts].map(([what, count]) => `${count} ${what}`).join(", "),
    ...[...figures].map(([what, values]) => `${what} ${spread(values)}${expects[what] ? ` (${expects[what]})` : ""}`),
  ]
  return parts.filter((part) => part !== "").join(" · ")
}

/** Seconds. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => ((sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN) / 1_000).toFixed(2)
  return `p50 ${at(0.5)} p95 ${at(0.95)} max ${at(1)} s`
}
