import type { CallLimit } from "@docket/api"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"

/** Calls in a minute. */
export interface CallLimits {
  perKey: number
  perPerson: number
}

const windowSeconds = 60

/**
 * Counts the calls of each key, which may have a smaller number of its own, and of each person over all their browsers, in windows of a minute. Only who is known is
 * counted, so that strangers fill no memory.
 */
export function createCallLimit({ perKey, perPerson }: CallLimits): CallLimit {
  const keys = new RateLimiterMemory({ points: perKey, duration: windowSeconds })
  const people = new RateLimiterMemory({ points: perPerson, duration: windowSeconds })
  return {
    async take({ via, credentialID, caller, perMinute = perKey }) {
      try {
        const counted = await (via === "login" ? people.consume(caller.person) : keys.consume(credentialID))
        return via === "key" && counted.consumedPoints > perMinute ? seconds(counted) : null
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return seconds(refused)
        throw refused
      }
    },
  }
}

function seconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000))
}
