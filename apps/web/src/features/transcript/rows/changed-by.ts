import type { MessageChange } from "@docket/core/schema"

/** Extensions that are named; the others are counted. */
const mostNamed = 3

/** What extensions changed, in a few words for each kind: `request changed by plugin a, plugin b`. */
export function changedBy(changes: readonly MessageChange[]): string[] {
  const names = Map.groupBy(changes, ({ what }) => what)
  return [...names].map(([what, of]) => {
    const all = [...new Set(of.map(({ by }) => by))]
    const rest = all.length - mostNamed
    const named = all.slice(0, mostNamed).join(", ")
    return `${what} changed by ${named}${rest > 0 ? ` and ${rest} more` : ""}`
  })
}
