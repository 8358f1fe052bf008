import type { DocketEvent, EventType } from "../schema/index.ts"

export type EventOf<T extends EventType> = Extract<DocketEvent, { type: T }>
export type Unsubscribe = () => void

export interface Bus {
  publish(event: DocketEvent): void
  subscribe<T extends EventType>(type: T, listener: (event: EventOf<T>) => void): Unsubscribe
  subscribe(type: "*", listener: (event: DocketEvent) => void): Unsubscribe
}

/**
 * A typed bus. Listeners run synchronously in the order of subscription; one that throws is reported to
 * `onError` and does not keep the event from the others.
 */
export function createBus(onError: (error: unknown) => void): Bus {
  const listeners = new Map<string, Set<(event: DocketEvent) => void>>()
  const notify = (type: string, event: DocketEvent) => {
    for (const listener of listeners.get(type) ?? []) {
      try {
        listener(event)
      } catch (error) {
        onError(error)
      }
    }
  }
  return {
    publish(event) {
      notify(event.type, event)
      notify("*", event)
    },
    // The overloads tie the listener to the type; inside, listeners are kept by name.
    subscribe(type: string, listener: (event: never) => void) {
      const set = listeners.get(type) ?? new Set()
      listeners.set(type, set)
      const held = listener as (event: DocketEvent) => void
      set.add(held)
      return () => {
        set.delete(held)
        if (set.size === 0 && listeners.get(type) === set) listeners.delete(type)
      }
    },
  }
}
