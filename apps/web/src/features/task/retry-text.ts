import { formatCountdown } from "@docket/core/duration"
import type { SessionStatus } from "@docket/core/schema"

/**
 * The status of a session whose provider failed and is called again at `next` (epoch ms); `attempt` counts failures.
 */
export type RetryStatus = Extract<SessionStatus, { type: "retry" }>

/** Null for a session that does not wait to retry. */
export function retryOf(status: SessionStatus | undefined): RetryStatus | null {
  return status?.type === "retry" ? status : null
}

/** Time until the next attempt, seen from `now` (epoch ms). */
export function retryIn({ next }: Pick<RetryStatus, "next">, now: number): string {
  return next > now ? `in ${formatCountdown(next - now)}` : "now"
}

/** The message about a session that waits to retry. */
export function retryText(status: RetryStatus, now: number): string {
  return `Retrying, attempt ${status.attempt + 1} ${retryIn(status, now)}`
}
