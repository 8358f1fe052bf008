import { createHash } from "node:crypto"
import { placeOf } from "@docket/core"
import { createTryCounter } from "./try-counter.ts"

/** How often may be tried in a window. */
export interface SignInLimits {
  /** For one account from one place. */
  perAccountAndPlace: number
  /** For one account from everywhere: more, so that a stranger does not lock somebody out with a few tries. */
  perAccount: number
  /** From one place, over all accounts. */
  perPlace: number
  /** Length of the window. */
  minutes: number
}

export interface SignInLimit {
  /** Counts a try; what it answers is how long (s) to wait, null when it may be made. */
  take(address: string, account: string): number | null
  /** The same for what belongs to no account, such as links: nobody uses it up for others. */
  takeAt(address: string, what: string): number | null
  /** The try was good: it counts neither for this person at this place nor for the place, where many may be at work. */
  forgive(address: string, account: string): void
  /** How many accounts and places are remembered. */
  readonly size: number
}

/** Names and places of one kind that are remembered: some 10 MB at most. */
const keys = 50_000

/** Stops guessing: of passwords, of links, of codes. In memory of this service, which ends with it. */
export function createSignInLimit(limits: SignInLimits, clock: () => number): SignInLimit {
  const counter = (most: number) => createTryCounter({ most, windowMs: limits.minutes * 60_000, keys, clock })
  const pair = counter(limits.perAccountAndPlace)
  const account = counter(limits.perAccount)
  const place = counter(limits.perPlace)
  const take = (where: string, name: string, isAccount: boolean) => {
    // What is refused is counted nowhere: not for others at the place, and not as one more name to remember.
    const wait = pair.wait(keyOf(where, name)) ?? (isAccount ? account.wait(keyOf(name)) : null) ?? place.wait(where)
    if (wait !== null) return wait
    pair.add(keyOf(where, name))
    if (isAccount) account.add(keyOf(name))
    place.add(where)
    return null
  }
  return {
    take: (from, name) => take(placeOf(from), `account ${name}`, true),
    takeAt: (from, what) => take(placeOf(from), what, false),
    forgive(from, name) {
      for (const each of [name, `account ${name}`]) pair.clear(keyOf(placeOf(from), each))
      account.remove(keyOf(`account ${name}`))
      place.remove(placeOf(from))
    },
    get size() {
      return pair.size + account.size + place.size
    },
  }
}

/** Of one length, whatever was typed. */
function keyOf(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("base64url")
}
