import type { DocketEvent } from "../schema/index.ts"

type Unsubscribe = () => void

/** Where everything that happens in this process is told. */
export interface Bus {
  publish(event: DocketEvent): void
  subscribe(listener: (event: DocketEvent) => void): Unsubscribe
  /** Changes of this tree may be stored of which no event tells: who follows it reads the rows again. */
  doubt(rootID: string): void
  onDoubt(listener: (rootID: string) => void): Unsubscribe
}

/**
 * Listeners run synchronously in the order of subscription; one that throws is reported to `onError` and does not
 * keep the event from the others.
 */
export function createBus(onError: (error: unknown) => void): Bus {
  const listeners = new Set<(event: DocketEvent) => void>()
  const doubters = new Set<(rootID: string) => void>()
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
