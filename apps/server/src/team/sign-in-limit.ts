import { createHash } from "node:crypto"
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"

export interface SignInLimit {
  /** Counts a try; what it answers is how long (s) to wait, null when it may be made. */
  take(address: string, account: string): Promise<number | null>
  /** The try was good: it does not count for this person at this place. */
  forgive(address: string, account: string): Promise<void>
}

/**
 * How often may be tried to sign in: few times for one account from one place, more for an account from everywhere (a
 * stranger must not lock somebody out with a few tries), and for a place over all accounts. Tries in a quarter of an hour.
 */
const limits = { pair: 10, account: 100, place: 200 }
const windowSeconds = 15 * 60

export function createSignInLimit(): SignInLimit {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: windowSeconds })
  const pair = limiter(limits.pair)
  const account = limiter(limits.account)
  const place = limiter(limits.place)
  return {
    async take(from, name) {
      const where = placeOf(from)
      const counted: [RateLimiterMemory, string][] = [
        [pair, keyOf(where, name)],
        [account, keyOf(name)],
        [place, where],
      ]
      for (const [each, key] of counted) {
        const wait = await consume(each, key)
        // What is refused as one of many for an account costs the others at its place nothing.
        if (wait !== null) return wait
      }
      return null
    },
    async forgive(from, name) {
      await pair.delete(keyOf(placeOf(from), name))
      await account.reward(keyOf(name))
    },
  }
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<number | null> {
  try {
    await limiter.consume(key)
    return null
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
    throw refused
  }
}

/** Someone has all of a /64 of IPv6 at once. */
function placeOf(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address
  return address.split(":").slice(0, 4).join(":")
}

/** Of one length, whatever was typed. */
function keyOf(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("base64url")
}
