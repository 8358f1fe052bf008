/** Marks between which Docket speaks to a model, or shows it what others wrote. */
const frame =
  /<(?=\/?(?:system-reminder|task_result|partial_result|task_metadata|instructions)\b|\/(?:file|import|skill)>)/gi

/** Text of others, changed so that it can neither end the mark around it nor begin one of Docket's marks. */
export function quoteFrames(text: string): string {
  return text.replace(frame, "&lt;")
}
