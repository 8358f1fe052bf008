import { formatCountdown } from "@docket/core/duration"
import type { SessionStatus } from "@docket/core/schema"

/** A session whose provider failed and is asked again at `next` (epoch ms); `attempt` counts those that failed. */
export type RetryStatus = Extract<SessionStatus, { type: "retry" }>

/** Null for a session that waits for no other attempt. */
export function retryOf(status: SessionStatus | undefined): RetryStatus | null {
  return status?.type === "retry" ? status : null
}

/** When the next attempt begins, as of `now` (epoch ms). */
export function retryIn({ next }: Pick<RetryStatus, "next">, now: number): string {
  return next > now ? `in ${formatCountdown(next - now)}` : "now"
}

/** What is said of a session that tries again, wherever it is named. */
export function retryText(status: RetryStatus, now: number): string {
  return `Retrying, attempt ${status.attempt + 1} ${retryIn(status, now)}`
}
