import { createHash } from "node:crypto"
import { placeOf } from "@docket/core"
import { createTryCounter } from "./try-counter.ts"

/** Limits for tries in a window of time. A place is an address, or the /64 network of an IPv6 one: see `placeOf`. */
export interface SignInLimits {
  /** For one account from one place. */
  perAccountAndPlace: number
  /** For one account from all places: higher, so that a stranger cannot lock a user out with a few tries. */
  perAccount: number
  /** From one place, for all accounts. */
  perPlace: number
  /** Length of the window. */
  minutes: number
}

export interface SignInLimit {
  /** Counts a try. Returns how long (s) to wait, or null when it is allowed. */
  take(address: string, account: string): number | null
  /** The same without an account, e.g. for links: then nobody can use up another user's tries. */
  takeAt(address: string, what: string): number | null
  /**
   * The try was successful, so it does not count for this user at this place, nor for the place, which many may share.
   */
  forgive(address: string, account: string): void
  /** Number of accounts and places that are remembered. */
  readonly size: number
}

/** Maximum number of entries per counter: about 10 MB. */
const mostKeys = 50_000

/** Prevents guessing of passwords, links and codes. Counted in memory until the service ends. */
export function createSignInLimit(limits: SignInLimits, clock: () => number): SignInLimit {
  const counter = (most: number) => createTryCounter({ most, windowMs: limits.minutes * 60_000, keys: mostKeys, clock })
  const pairs = counter(limits.perAccountAndPlace)
  const accounts = counter(limits.perAccount)
  const places = counter(limits.perPlace)
  const take = (where: string, name: string, isAccount: boolean) => {
    // A refused try is not counted: it uses up nothing of the place's other users, and adds no name to remember.
    const wait = pairs.wait(keyOf(where, name)) ?? (isAccount ? accounts.wait(keyOf(name)) : null) ?? places.wait(where)
    if (wait !== null) return wait
    pairs.add(keyOf(where, name))
    if (isAccount) accounts.add(keyOf(name))
    places.add(where)
    return null
  }
  return {
    take: (from, name) => take(placeOf(from), `account ${name}`, true),
    takeAt: (from, what) => take(placeOf(from), what, false),
    forgive(from, name) {
      for (const each of [name, `account ${name}`]) pairs.clear(keyOf(placeOf(from), each))
      accounts.remove(keyOf(`account ${name}`))
      places.remove(placeOf(from))
    },
    get size() {
      return pairs.size + accounts.size + places.size
    },
  }
}

/** A key of fixed length, whatever was typed. */
function keyOf(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("base64url")
}
