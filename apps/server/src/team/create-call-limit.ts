import type { CallLimit, Identity } from "@docket/api"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"

/** Calls per minute. */
export interface CallLimits {
  perKey: number
  /** For all keys of one user together, and for all tokens of one workspace. */
  perOwner: number
  perPerson: number
}

const windowSeconds = 60

/**
 * Limits calls per minute: of each key (which may have a lower limit of its own), of all keys of a user, and of each
 * user over all their browsers. Only known callers are counted, so that strangers cannot fill the memory.
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

/** Tokens belong to no user, so they count for the workspace. Otherwise creating more tokens would allow more calls. */
function ownerOf({ via, caller }: Pick<Identity, "via" | "caller">): string {
  return via === "token" ? `workspace ${caller.workspace}` : `person ${caller.person}`
}

function seconds({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1_000))
}
