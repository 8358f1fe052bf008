import type { Identity } from "@docket/api"
import { TooManyRequestsError } from "@docket/core"
import { createTryCounter } from "./try-counter.ts"

/** Limits for new links in a window of time. */
export interface LinkLimits {
  /** By one user, for any address. */
  perPerson: number
  /**
   * For one address, by all of a workspace: each new link ends the previous one, so only this limit stops a flood of
   * mails.
   */
  perAddress: number
  /** Length of the window. */
  minutes: number
}

export interface LinkLimit {
  /**
   * Counts a link for an address and creates it. A link that was not created does not count.
   * @throws TooManyRequestsError
   */
  counted<T>(by: Identity, address: string, work: () => Promise<T>): Promise<T>
}

/** Maximum number of users and addresses that are remembered. */
const mostKeys = 50_000

/** Prevents inviters from flooding a mailbox. Counted in memory until the service ends. */
export function createLinkLimit({ perPerson, perAddress, minutes }: LinkLimits, clock: () => number): LinkLimit {
  const counter = (most: number) => createTryCounter({ most, windowMs: minutes * 60_000, keys: mostKeys, clock })
  const people = counter(perPerson)
  const addresses = counter(perAddress)
  return {
    async counted({ caller: { person, workspace } }, address, work) {
      // The counts of one workspace must not be visible to another.
      const to = `${workspace} ${address}`
      const wait = people.wait(person) ?? addresses.wait(to)
      if (wait !== null) throw new TooManyRequestsError(wait, "Too many links were made")
      people.add(person)
      addresses.add(to)
      try {
        return await work()
      } catch (error) {
        people.remove(person)
        addresses.remove(to)
        throw error
      }
    },
  }
}
