/** How often a failed step is retried. */
const maxRetries = 5

/** ms */
const firstDelay = 2_000
const longestDelay = 30_000
/** ms; for a longer pause there is no retry, and the user decides. */
const longestPause = 10 * 60_000

interface RetryDelayOptions {
  /** Response headers of the failed call, lower-case names. */
  headers?: Record<string, string> | undefined
  /** A number in [0, 1). */
  random: () => number
  /** Epoch ms, to compare with a date in retry-after. */
  now: () => number
}

/** The delay that the headers request, in ms; null when there is none, it has passed or it is invalid. */
function requestedDelay(headers: Record<string, string>, now: number): number | null {
  const after = headers["retry-after"] ?? ""
  const asked = [numberOf(headers["retry-after-ms"] ?? ""), numberOf(after) * 1000, dateOf(after) - now]
  return asked.find((delay) => delay > 0) ?? null
}

function numberOf(text: string): number {
  return /^\s*\d+(?:\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN
}

/** `Date.parse` accepts nearly any text with a number; a real date has a time of day. */
function dateOf(text: string): number {
  return /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
}

/**
 * Milliseconds before retry `attempt` (from 1), or null for no further retry. The provider's `retry-after-ms` or
 * `retry-after` (seconds or a date) is used unless it has passed; otherwise 2 s, doubled each time, plus up to 25 %, at
 * most 30 s. A request for more than ten minutes means no retry.
 */
export function retryDelay(attempt: number, { headers, random, now }: RetryDelayOptions): number | null {
  if (attempt > maxRetries) return null
  const requested = headers ? requestedDelay(headers, now()) : null
  if (requested !== null) return requested > longestPause ? null : Math.ceil(requested)
  const delay = firstDelay * 2 ** (attempt - 1) * (1 + random() / 4)
  return Math.min(Math.round(delay), longestDelay)
}
