import type { DocketEvent } from "../schema/index.ts"
import { type Bus, createBus, type Unsubscribe } from "./bus.ts"

/** An event with the project it happened in; null for none. */
export interface GlobalEvent {
  projectID: string | null
  event: DocketEvent
}

/** The buses of all projects, and one place that hears them all. */
export interface GlobalBus {
  /** The bus of one project; made on first use. */
  project(projectID: string): Bus
  publish(event: GlobalEvent): void
  /** Changes of this tree may be stored of which no event tells: who follows it reads the rows again. */
  doubt(rootID: string): void
  onDoubt(listener: (rootID: string) => void): Unsubscribe
  subscribe(listener: (event: GlobalEvent) => void): Unsubscribe
}

export function createGlobalBus(onError: (error: unknown) => void): GlobalBus {
  const buses = new Map<string, Bus>()
  const listeners = new Set<(event: GlobalEvent) => void>()
  const doubters = new Set<(rootID: string) => void>()
  const project = (projectID: string) => {
    const bus = buses.get(projectID) ?? createBus(onError)
    buses.set(projectID, bus)
    return bus
  }
  return {
    project,
    publish(global) {
      if (global.projectID !== null) project(global.projectID).publish(global.event)
      for (const listener of listeners) {
        try {
          listener(global)
        } catch (error) {
          onError(error)
        }
      }
    },
    doubt(rootID) {
      for (const listener of doubters) listener(rootID)
    },
    onDoubt(listener) {
      doubters.add(listener)
      return () => doubters.delete(listener)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
