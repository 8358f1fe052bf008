import { orAborted } from "../concurrency/or-aborted.ts"
import { pause } from "../concurrency/pause.ts"
import { isDocketError } from "../error/docket-error.ts"
import type { Bus } from "./bus.ts"

/** Waits between attempts (ms): doubled from the first to the longest. */
const waits = { first: 100, longest: 2_000 }

/** Where the write belongs. Readers of the session see that it waits, until its next `session.status`. */
export interface WritePlace {
  rootID: string | null
  sessionID?: string
}

export interface FinalWriteOptions {
  /** Called once, when the first attempt failed. */
  onFailure?: () => void
}

/**
 * Stores how work ended. A session whose end is not stored would stay busy for ever, so a failed write is repeated
 * while the process lives. Readers of the session see the reason; the log has it once.
 */
export interface FinalWrites {
  /**
   * Calls `attempt` until it succeeds. `attempt` reads the rows that it changes anew, because a failed attempt may have
   * been stored.
   * @throws when the store refuses for good (the row is gone, another runner has it), and on any failure once closed
   */
  store<T>(place: WritePlace, attempt: () => Promise<T>, options?: FinalWriteOptions): Promise<T>
  /**
   * Runs `work`. Rejects and aborts its signal as soon as the store is away or a final write of this tree fails; the
   * result of `work` is then ignored.
   * @param rootID null for work that is of no tree
   */
  orFailure<T>(rootID: string | null, work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Ends all repeating; the next start recovers what is not stored. */
  close(): void
  isClosed(): boolean
}

/** Tells when the store cannot be reached. */
export interface StoreAway {
  /** Null while the store can be reached. */
  reason(): Error | null
  /** Returns a function that removes the listener. */
  onAway(listener: (reason: Error) => void): () => void
}

export interface FinalWritesDeps {
  bus: Bus
  away?: StoreAway | undefined
  onError(error: unknown): void
}

export function createFinalWrites(deps: FinalWritesDeps): FinalWrites {
  const failing = createFailing(deps.away)
  const closing = new AbortController()

  const repeat = async <T>(place: WritePlace, attempt: () => Promise<T>, first: unknown): Promise<T> => {
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
        const remove = failing.add(place, error)
        try {
          onFailure?.()
          return await repeat(place, attempt, error)
        } finally {
          remove()
        }
      }
    },
    orFailure: (rootID, work) => failing.race(rootID, work),
    close: () => closing.abort(),
    isClosed: () => closing.signal.aborted,
  }
}

const laterWords = "The end of some work could not be stored. It is tried again until it is."

/** Whether the store can be reached and refuses the write, so that repeating it is useless. */
export function isRefusal(error: unknown): boolean {
  return isDocketError(error) && error.code !== "store_unavailable"
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The final writes that fail now, and the work that is to abort because of them. */
function createFailing(away: StoreAway | undefined) {
  const entries = new Set<{ rootID: string | null; error: unknown }>()
  const watchers = new Set<{ rootID: string | null; failed: AbortController }>()
  away?.onAway((reason) => {
    for (const { failed } of watchers) failed.abort(reason)
  })
  return {
    isAny: () => entries.size > 0,
    /** Returns a function that removes the entry. */
    add(place: WritePlace, error: unknown): () => void {
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

function publish(bus: Bus, { rootID, sessionID }: WritePlace, error: unknown): void {
  if (sessionID === undefined) return
  const status = { type: "storing", message: reasonOf(error) } as const
  const event = { type: "session.status", rootID, seq: null, properties: { sessionID, status } } as const
  bus.publish(event)
}
