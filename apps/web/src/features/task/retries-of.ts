import type { TreeState } from "@docket/client"
import { type RetryStatus, retryOf } from "./retry-text.ts"

/** Those of the sessions that wait to retry after their provider failed. */
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
