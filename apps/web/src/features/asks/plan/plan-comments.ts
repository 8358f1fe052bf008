/** Something to change in a plan. */
export interface PlanComment {
  /** The words of the plan that it is about; null for all of it. */
  quote: string | null
  text: string
}

/** More of a quote says nothing more (UTF-16 units). */
const longestQuote = 600

/** The words of a plan that are selected, in one piece; null for none. */
export function quoteOf(selected: string): string | null {
  const words = selected.replace(/\s*\n\s*/g, "\n").trim()
  if (words === "") return null
  return words.length <= longestQuote ? words : `${words.slice(0, longestQuote - 1).toWellFormed()}…`
}

/** The comments as the agent reads them: each behind the words that it is about. */
export function commentsText(comments: readonly PlanComment[]): string {
  return comments
    .map(({ quote, text }) => (quote === null ? text : `${quote.replace(/^/gm, "> ")}\n\n${text}`))
    .join("\n\n")
}

/** Whether what a tab kept are comments on a plan. */
export function isComments(value: unknown): value is readonly PlanComment[] {
  return Array.isArray(value) && value.every(isComment)
}

function isComment(value: unknown): value is PlanComment {
  // Its fields are looked at one by one below.
  const comment = value as Partial<PlanComment> | null
  return typeof comment?.text === "string" && (comment.quote === null || typeof comment.quote === "string")
}
