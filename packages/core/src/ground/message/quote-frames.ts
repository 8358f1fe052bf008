/** Marks between which Docket speaks to a model, or shows it what others wrote. */
const frame =
  /<(?=\/?(?:system-reminder|task_result|partial_result|task_metadata|instructions)\b|\/(?:file|import|skill)>)/gi

/** What others wrote, so that it can neither end the mark that it stands in nor begin one of Docket's own. */
export function quoteFrames(text: string): string {
  return text.replace(frame, "&lt;")
}
