import type { Identity } from "@docket/api"
import { TooManyRequestsError } from "@docket/core"
import { createTryCounter } from "./try-counter.ts"

/** How many links may be made in a window. */
export interface LinkLimits {
  /** By one person, for anybody. */
  perPerson: number
  /** For one address, by all of a workspace: each new one ends the one before, so nothing else stops mailing it. */
  perAddress: number
  /** Length of the window. */
  minutes: number
}

export interface LinkLimit {
  /**
   * Counts a link that somebody makes for an address, and makes it. One that was not made does not count.
   * @throws TooManyRequestsError
   */
  counted<T>(by: Identity, address: string, work: () => Promise<T>): Promise<T>
}

/** People and addresses that are remembered. */
const keys = 50_000

/** Keeps who may invite from filling somebody's mailbox. In memory of this service, which ends with it. */
export function createLinkLimit({ perPerson, perAddress, minutes }: LinkLimits, clock: () => number): LinkLimit {
  const counter = (most: number) => createTryCounter({ most, windowMs: minutes * 60_000, keys, clock })
  const people = counter(perPerson)
  const addresses = counter(perAddress)
  return {
    async counted({ caller: { person, workspace } }, address, work) {
      // What one workspace sends tells another nothing.
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
