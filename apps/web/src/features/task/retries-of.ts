import type { TreeState } from "@docket/client"
import { type RetryStatus, retryOf } from "./retry-text.ts"

/** The status of each of these sessions that waits to call its provider again, by session. */
export function retriesOf(
  { sessions }: Pick<TreeState, "sessions">,
  sessionIDs: readonly string[],
): Record<string, RetryStatus> {
  return Object.fromEntries(
    sessionIDs.flatMap((id) => {
      const retry = retryOf(sessions[id]?.status)
      return retry === null ? [] : [[id, retry]]
    }),
  )
}
