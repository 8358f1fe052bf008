const fullDisk = /\b(?:ENOSPC|EDQUOT|SQLITE_FULL|database or disk is full)\b/
/** Causes of causes that are looked at. */
const deepest = 8

/** What a caller is told of an error that nobody expected: nothing of the inside, but what a person can mend. */
export function unexpectedWords(error: unknown): string {
  let cause = error
  for (let depth = 0; depth < deepest && cause instanceof Error; depth++) {
    const code = "code" in cause ? cause.code : ""
    if (fullDisk.test(`${code} ${cause.message}`))
      return "The disk on which Docket keeps its data is full, so nothing was stored. Make room, then try again."
    cause = cause.cause
  }
  return "internal error"
}
