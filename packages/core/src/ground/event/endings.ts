import { orAborted } from "../concurrency/or-aborted.ts"
import { pause } from "../concurrency/pause.ts"
import { isDocketError } from "../error/docket-error.ts"
import type { Bus } from "./bus.ts"

/** Waits between attempts (ms): doubled from the first to the longest. */
const waits = { first: 100, longest: 2_000 }

/** Whose end it is. Readers of the session hear that it waits, until its next `session.status`. */
export interface EndPlace {
  rootID: string | null
  sessionID?: string
}

export interface EndingOptions {
  /** Called once, when the first attempt failed. */
  onFailure?: () => void
}

/**
 * Stores the ends of work. An end that is not stored leaves a session busy for ever, so it is tried again while the
 * process lives: readers of the session see why it waits, the log hears of it once.
 */
export interface Endings {
  /**
   * Calls `attempt` until it succeeds. It reads what it changes by itself, because an attempt that failed may have
   * been stored all the same.
   * @throws what the store refuses for good (the row is gone, another runner has it), and everything once it is closed
   */
  store<T>(place: EndPlace, attempt: () => Promise<T>, options?: EndingOptions): Promise<T>
  /**
   * What `work` answers, or a rejection with the reason as soon as an end of this tree cannot be stored, or the store is
   * away. Then its signal aborts, and what it comes to is not heard any more.
   * @param rootID null for work that is of no tree
   */
  orFailure<T>(rootID: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Nothing is tried again any more: what is left, the next start puts right. */
  close(): void
  isClosed(): boolean
}

/** What is asked of the store waits while it is away. Stop does not. */
export interface StoreAway {
  /** Null while it is there. */
  reason(): Error | null
  /** Answers with what takes the listener off. */
  onAway(listener: (reason: Error) => void): () => void
}

export interface EndingsDeps {
  bus: Bus
  away?: StoreAway | undefined
  onError(error: unknown): void
}

export function createEndings(deps: EndingsDeps): Endings {
  const failing = createFailing(deps.away)
  const closing = new AbortController()

  const again = async <T>(place: EndPlace, attempt: () => Promise<T>, first: unknown): Promise<T> => {
    let error = first
    for (let wait = waits.first; ; wait = Math.min(wait * 2, waits.longest)) {
      publish(deps.bus, place, error)
      await pause(wait, closing.signal)
      if (closing.signal.aborted) throw error
      try {
        return await attempt()
      } catch (caught) {
        if (isRefusal(caught)) throw caught
        error = caught
      }
    }
  }
  return {
    async store(place, attempt, { onFailure } = {}) {
      try {
        return await attempt()
      } catch (error) {
        if (isRefusal(error)) throw error
        if (!failing.isAny()) deps.onError(new Error(`${laterWords} ${reasonOf(error)}`, { cause: error }))
        const over = failing.add(place, error)
        try {
          onFailure?.()
          return await again(place, attempt, error)
        } finally {
          over()
        }
      }
    },
    orFailure: (rootID, work) => failing.race(rootID, work),
    close: () => closing.abort(),
    isClosed: () => closing.signal.aborted,
  }
}

const laterWords = "The end of some work could not be stored. It is tried again until it is."

/** Whether the store works and does not want this: trying again would change nothing. */
export function isRefusal(error: unknown): boolean {
  return isDocketError(error) && error.code !== "store_unavailable"
}

/** What is wrong with the store, in words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The ends that cannot be stored now, and who wants to know of them. */
function createFailing(away: StoreAway | undefined) {
  const entries = new Set<{ rootID: string | null; error: unknown }>()
  const watchers = new Set<{ rootID: string | null; failed: AbortController }>()
  away?.onAway((reason) => {
    for (const { failed } of watchers) failed.abort(reason)
  })
  return {
    isAny: () => entries.size > 0,
    /** Answers with what takes it back. */
    add(place: EndPlace, error: unknown): () => void {
      const entry = { rootID: place.rootID, error }
      entries.add(entry)
      for (const watcher of watchers) if (watcher.rootID === entry.rootID) watcher.failed.abort(error)
      return () => void entries.delete(entry)
    },
    async race<T>(rootID: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      const reason = away?.reason()
      if (reason) throw reason
      const known = [...entries].find((entry) => entry.rootID === rootID)
      if (known !== undefined) throw known.error
      const watcher = { rootID, failed: new AbortController() }
      watchers.add(watcher)
      try {
        return await orAborted(work(watcher.failed.signal), watcher.failed.signal)
      } finally {
        watchers.delete(watcher)
      }
    },
  }
}

function publish(bus: Bus, { rootID, sessionID }: EndPlace, error: unknown): void {
  if (sessionID === undefined) return
  const status = { type: "storing", message: reasonOf(error) } as const
  const event = { type: "session.status", rootID, seq: null, properties: { sessionID, status } } as const
  bus.publish(event)
}
