import { hashShareSecret, placeOf } from "@docket/core"
import type { CreateTryLimit } from "./try-limit.ts"

/**
 * How many passwords may be tried at once, and after how many ms there is one more try. A place is an IPv4 address, or
 * the /64 of an IPv6 address.
 */
const triesOfPlace = { most: 10, refillMs: 6_000 }
const triesOfLink = { most: 30, refillMs: 2_000 }

/** Limits the passwords that are tried on links, over all workspaces and before the link is looked up. */
export interface UnlockLimit {
  /** Counts a try. Null when it may be made, else how long to wait (s). */
  take(address: string, secret: string): Promise<number | null>
  /** Takes a try back, because the password was right. */
  giveBack(address: string, secret: string): Promise<void>
}

export function createUnlockLimit(createTryLimit: CreateTryLimit): UnlockLimit {
  const byPlace = createTryLimit("unlock by place", triesOfPlace)
  const byLink = createTryLimit("unlock by link", triesOfLink)
  return {
    async take(address, secret) {
      const place = placeOf(address)
      const ofPlace = await byPlace.take(place)
      if (ofPlace !== null) return seconds(ofPlace)
      const ofLink = await byLink.take(hashShareSecret(secret))
      if (ofLink === null) return null
      // A refused try does not count for the address.
      await byPlace.giveBack(place)
      return seconds(ofLink)
    },
    async giveBack(address, secret) {
      await byPlace.giveBack(placeOf(address))
      await byLink.giveBack(hashShareSecret(secret))
    },
  }
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}
