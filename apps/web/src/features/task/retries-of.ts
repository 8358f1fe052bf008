import type { TreeState } from "@docket/client"
import { type RetryStatus, retryOf } from "./retry-text.ts"

/** Of these sessions those whose provider failed and is asked again. */
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
