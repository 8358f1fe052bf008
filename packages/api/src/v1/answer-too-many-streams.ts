import { streamRetryAfter, tooManyStreams } from "../http/stream-limit.ts"
import { answerProblem } from "./problem.ts"
import type { V1Context } from "./v1-app.ts"

/** Refuses a stream, or a call that waits, of a caller who has too many open. */
export function answerTooManyStreams(c: V1Context) {
  c.env.outgoing.setHeader("retry-after", String(streamRetryAfter))
  const more = { reason: "stream_limit", retry_after_seconds: streamRetryAfter }
  return answerProblem(c, { status: 429, message: tooManyStreams, more })
}
