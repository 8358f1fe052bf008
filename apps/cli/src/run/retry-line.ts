import type { RetryPart } from "@docket/core/schema"

/**
 * Says that a call of the model is tried again. The reason is given again only when it is another one than the last of
 * the session.
 */
export function createRetryLine(): (part: RetryPart) => string {
  const reasons = new Map<string, string>()
  return ({ sessionID, attempt, error }) => {
    const isSame = reasons.get(sessionID) === error.message
    reasons.set(sessionID, error.message)
    return isSame ? `retry ${attempt}` : `retry ${attempt}: ${error.message}`
  }
}
