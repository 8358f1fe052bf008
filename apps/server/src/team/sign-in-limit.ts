import { createHash } from "node:crypto"
import { placeOf } from "@docket/core"
import type { CreateTryCounter } from "./try-counter.ts"

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
  take(address: string, account: string): Promise<number | null>
  /** The same without an account, e.g. for links: then nobody can use up another user's tries. */
  takeAt(address: string, what: string): Promise<number | null>
  /**
   * The try was successful, so it does not count for this user at this place, nor for the place, which many may share.
   */
  forgive(address: string, account: string): Promise<void>
}

/** Prevents guessing of passwords, links and codes. */
export function createSignInLimit(limits: SignInLimits, createCounter: CreateTryCounter): SignInLimit {
  const counter = (name: string, most: number) => createCounter(name, { most, windowMs: limits.minutes * 60_000 })
  const pairs = counter("sign-in by account and place", limits.perAccountAndPlace)
  const accounts = counter("sign-in by account", limits.perAccount)
  const places = counter("sign-in by place", limits.perPlace)
  const take = async (where: string, name: string, isAccount: boolean) => {
    // A refused try is not counted: it uses up nothing of the place's other users, and adds no name to remember.
    const taken: (() => unknown)[] = []
    const tries = [
      { of: pairs, key: keyOf(where, name) },
      ...(isAccount ? [{ of: accounts, key: keyOf(name) }] : []),
      { of: places, key: where },
    ]
    for (const { of, key } of tries) {
      const wait = await of.take(key)
      if (wait === null) taken.push(() => of.giveBack(key))
      else {
        for (const giveBack of taken) await giveBack()
        return wait
      }
    }
    return null
  }
  return {
    take: (from, name) => take(placeOf(from), `account ${name}`, true),
    takeAt: (from, what) => take(placeOf(from), what, false),
    async forgive(from, name) {
      for (const each of [name, `account ${name}`]) await pairs.clear(keyOf(placeOf(from), each))
      await accounts.giveBack(keyOf(`account ${name}`))
      await places.giveBack(placeOf(from))
    },
  }
}

/** A key of fixed length, whatever was typed. */
function keyOf(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\0")).digest("base64url")
}
