import { hashShareSecret, placeOf } from "@docket/core"
import { createTryLimit } from "./try-limit.ts"

/** Tries of passwords: so many at once, then one each time that so many ms have passed. */
const triesOfPlace = { most: 10, refillMs: 6_000 }
const triesOfLink = { most: 30, refillMs: 2_000 }

/** Counts the passwords that are tried on links, over all workspaces and before a link is looked for. */
export interface UnlockLimit {
  /** Counts a try; what it answers is how long (s) to wait, null when it may be made. */
  take(address: string, secret: string): number | null
  /** The password was right: that try does not count. */
  giveBack(address: string, secret: string): void
}

export function createUnlockLimit(clock: () => number): UnlockLimit {
  const byPlace = createTryLimit({ ...triesOfPlace, clock })
  const byLink = createTryLimit({ ...triesOfLink, clock })
  return {
    take(address, secret) {
      const place = placeOf(address)
      const ofPlace = byPlace.take(place)
      if (ofPlace !== null) return seconds(ofPlace)
      const ofLink = byLink.take(hashShareSecret(secret))
      if (ofLink === null) return null
      // What is refused is not counted.
      byPlace.giveBack(place)
      return seconds(ofLink)
    },
    giveBack(address, secret) {
      byPlace.giveBack(placeOf(address))
      byLink.giveBack(hashShareSecret(secret))
    },
  }
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000))
}
