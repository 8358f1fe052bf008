import type { Identity } from "@docket/api"
import { TooManyRequestsError } from "@docket/core"
import type { CreateTryCounter } from "./try-counter.ts"

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

/** Prevents inviters from flooding a mailbox. */
export function createLinkLimit(
  { perPerson, perAddress, minutes }: LinkLimits,
  createCounter: CreateTryCounter,
): LinkLimit {
  const counter = (name: string, most: number) => createCounter(name, { most, windowMs: minutes * 60_000 })
  const people = counter("links by person", perPerson)
  const addresses = counter("links by address", perAddress)
  return {
    async counted({ caller: { person, workspace } }, address, work) {
      // The counts of one workspace must not be visible to another.
      const to = `${workspace} ${address}`
      const ofPerson = await people.take(person)
      if (ofPerson !== null) throw tooMany(ofPerson)
      const ofAddress = await addresses.take(to)
      if (ofAddress !== null) {
        await people.giveBack(person)
        throw tooMany(ofAddress)
      }
      try {
        return await work()
      } catch (error) {
        await people.giveBack(person)
        await addresses.giveBack(to)
        throw error
      }
    },
  }
}

function tooMany(wait: number): TooManyRequestsError {
  return new TooManyRequestsError(wait, "Too many links were made")
}
