import { pause } from "../../ground/concurrency/pause.ts"
import type { AssistantMessage, MessageError } from "../../ground/schema/index.ts"
import type { TurnContext } from "./turn-context.ts"
import type { Stamp } from "./write-message.ts"

interface FailedAttempt {
  /** The message of the next attempt, which shows the retry. */
  message: AssistantMessage
  error: MessageError
  /** 1 for the first. */
  attempt: number
  /** How long to wait (ms). */
  delay: number
}

/** Shows the failed attempt in the transcript and the session's status, and waits, unless the turn is stopped. */
export async function waitToRetry(deps: Stamp, turn: TurnContext, failed: FailedAttempt): Promise<void> {
  const { message, error, attempt, delay } = failed
  const now = deps.clock()
  void turn.writer.part({
    id: deps.createID("part"),
    sessionID: message.sessionID,
    messageID: message.id,
    type: "retry",
    attempt,
    error,
    time: { created: now },
  })
  await turn.writer.session({ status: { type: "retry", attempt, message: error.message, next: now + delay } })
  await pause(delay, turn.signal)
  // Whoever stopped the turn has already set the session to idle.
  if (!turn.signal.aborted) await turn.writer.session({ status: { type: "busy" } })
}
