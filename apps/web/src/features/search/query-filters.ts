import { type QueryPiece, splitQuery } from "@docket/core/query"

/** Names of filters, as written before the colon. */
const names = new Set(["agent", "tool", "kind", "by", "file", "status", "verdict", "cost", "after", "before", "tree"])

/** Maximum number of filters that are read; the service has the same limit. */
const maxFilters = 40

export function filtersIn(text: string): QueryPiece[] {
  return splitQuery(text, maxFilters).filter(({ name, value }) => name !== null && names.has(name) && value !== "")
}

/** Filters offered as buttons. */
export const offeredFilters: readonly { source: string; label: string }[] = [
  { source: "kind:prompt", label: "Prompts" },
  { source: "kind:answer", label: "Answers" },
  { source: "kind:tool", label: "Calls" },
  { source: "kind:child", label: "Subagents" },
  { source: "by:me", label: "By me" },
  { source: "status:failed", label: "Failed" },
  { source: "verdict:rejected", label: "Rejected" },
  { source: "after:7d", label: "Past week" },
]

/** Adds the filter to the query, or removes it if it is there. */
export function toggled(text: string, source: string): string {
  const found = filtersIn(text).find((piece) => !piece.isNot && piece.source.toLowerCase() === source)
  if (found !== undefined) return withoutFilter(text, found)
  return `${source} ${text.trimStart()}`
}

export function withoutFilter(text: string, { start, end }: Pick<QueryPiece, "start" | "end">): string {
  return `${text.slice(0, start)}${text.slice(end).trimStart()}`
}
