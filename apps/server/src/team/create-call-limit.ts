import type { CallLimit } from "@docket/api"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"

/** Calls in a minute. */
export interface CallLimits {
  perKey: number
  perPerson: number
}

const windowSeconds = 60

/**
 * Counts the calls of each key, and of each person over all their browsers, in windows of a minute. Only who is known is
 * counted, so that strangers fill no memory.
 */
export function createCallLimit({ perKey, perPerson }: CallLimits): CallLimit {
  const keys = new RateLimiterMemory({ points: perKey, duration: windowSeconds })
  const people = new RateLimiterMemory({ points: perPerson, duration: windowSeconds })
  return {
    async take({ via, credentialID, caller }) {
      try {
        await (via === "login" ? people.consume(caller.person) : keys.consume(credentialID))
        return null
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
        throw refused
      }
    },
  }
}
