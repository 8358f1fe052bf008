/** What went wrong. `fetch` says only that it failed; the reason is in its cause. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (!error.message.endsWith("fetch failed")) return error.message
  let reason: Error = error
  while (reason.cause instanceof Error) reason = reason.cause
  return reason === error ? error.message : `it cannot be reached (${reason.message})`
}
