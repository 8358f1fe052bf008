/** A requested change of a plan. */
export interface PlanComment {
  /** The quoted text of the plan; null for the whole plan. */
  quote: string | null
  text: string
}

/** A longer quote is truncated (UTF-16 units). */
const longestQuote = 600

/** The selected text of a plan as one quote; null for none. */
export function quoteOf(selected: string): string | null {
  const words = selected.replace(/\s*\n\s*/g, "\n").trim()
  if (words === "") return null
  return words.length <= longestQuote ? words : `${words.slice(0, longestQuote - 1).toWellFormed()}…`
}

/** The comments as the agent reads them: each one after its quote. */
export function commentsText(comments: readonly PlanComment[]): string {
  return comments
    .map(({ quote, text }) => (quote === null ? text : `${quote.replace(/^/gm, "> ")}\n\n${text}`))
    .join("\n\n")
}

/** Whether a stored value is a list of plan comments. */
export function isComments(value: unknown): value is readonly PlanComment[] {
  return Array.isArray(value) && value.every(isComment)
}

function isComment(value: unknown): value is PlanComment {
  // The fields are checked one by one below.
  const comment = value as Partial<PlanComment> | null
  return typeof comment?.text === "string" && (comment.quote === null || typeof comment.quote === "string")
}
