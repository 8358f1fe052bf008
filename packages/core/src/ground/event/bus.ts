import type { DocketEvent } from "../schema/index.ts"

type Unsubscribe = () => void

/** Publishes the events of this process to its listeners. */
export interface Bus {
  publish(event: DocketEvent): void
  subscribe(listener: (event: DocketEvent) => void): Unsubscribe
  /**
   * Changes of this tree, or of any (null), may be stored without an event: whoever follows it reads the rows again, and
   * lists are read again.
   */
  doubt(rootID: string | null): void
  onDoubt(listener: (rootID: string | null) => void): Unsubscribe
}

/**
 * Listeners run synchronously in the order of subscription. When one throws, `onError` gets the error and the others
 * still get the event.
 */
export function createBus(onError: (error: unknown) => void): Bus {
  const listeners = new Set<(event: DocketEvent) => void>()
  const doubters = new Set<(rootID: string | null) => void>()
  return {
    publish(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          onError(error)
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    doubt(rootID) {
      for (const listener of doubters) listener(rootID)
    },
    onDoubt(listener) {
      doubters.add(listener)
      return () => doubters.delete(listener)
    },
  }
}
