import type { CallLimit, Identity } from "@docket/api"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"

/** Calls in a minute. */
export interface CallLimits {
  perKey: number
  /** By all keys of one person together, and by all tokens of one workspace. */
  perOwner: number
  perPerson: number
}

const windowSeconds = 60

/**
 * Counts the calls of each key, which may have a smaller number of its own, of all keys of a person, and of each person over
 * all their browsers, in windows of a minute. Only who is known is counted, so that strangers fill no memory.
 */
export function createCallLimit({ perKey, perOwner, perPerson }: CallLimits): CallLimit {
  const counter = (points: number) => new RateLimiterMemory({ points, duration: windowSeconds })
  const [keys, owners, people] = [counter(perKey), counter(perOwner), counter(perPerson)]
  return {
    async take({ via, credentialID, caller, perMinute = perKey }) {
      try {
        if (via === "login") {
          await people.consume(caller.person)
          return null
        }
        const counted = await keys.consume(credentialID)
        if (via === "key" && counted.consumedPoints > perMinute) return seconds(counted)
        await owners.consume(ownerOf({ via, caller }))
        return null
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return seconds(refused)
        throw refused
      }
    },
  }
}

/** Tokens belong to no person: whoever may make them, makes many. */
function ownerOf({ via, caller }: Pick<Identity, "via" | "caller">): string {
  return via === "token" ? `workspace ${caller.workspace}` : `person ${caller.person}`
}

function seconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000))
}
