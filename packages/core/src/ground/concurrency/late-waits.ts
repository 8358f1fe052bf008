import type { Timers } from "./timers.ts"

/**
 * After this time without progress, a wait is late (ms). Models that are well send their first piece within seconds, and
 * most commands end or write something.
 */
const lateMs = 30_000
/** How often a turn looks at its waits (ms): so a late one is told after 40 s at most. */
const lookMs = 10_000

/** A wait that goes on. */
export interface Wait {
  /** There was progress: the time begins anew. */
  moved(): void
  end(): void
}

/** What a turn waits for now, so that somebody can say why it does not go on. */
export interface LateWaits {
  /** @param what names a kind of thing, never what was said */
  begin(what: string): Wait
  during<T>(what: string, work: (wait: Wait) => Promise<T>): Promise<T>
  /** Nothing is told any more. */
  close(): void
}

interface LateWaitsDeps {
  /** ms */
  clock(): number
  timers: Timers
  /** Is told once of each wait that is late; those that began first come first. */
  onLate(late: readonly LateWait[]): void
}

export interface LateWait {
  what: string
  ms: number
}

/** Watches the waits of one turn with one timer. */
export function createLateWaits({ clock, timers, onLate }: LateWaitsDeps): LateWaits {
  const open = new Set<{ what: string; since: number; isTold: boolean }>()
  const look = () => {
    const now = clock()
    const late = [...open].filter(({ since, isTold }) => !isTold && now - since >= lateMs)
    if (late.length === 0) return
    for (const wait of late) wait.isTold = true
    onLate(late.map(({ what, since }) => ({ what, ms: now - since })))
  }
  const cancel = timers.every(lookMs, look)
  const begin = (what: string): Wait => {
    const wait = { what, since: clock(), isTold: false }
    open.add(wait)
    return {
      moved() {
        wait.since = clock()
        wait.isTold = false
      },
      end: () => void open.delete(wait),
    }
  }
  return {
    begin,
    async during(what, work) {
      const wait = begin(what)
      try {
        return await work(wait)
      } finally {
        wait.end()
      }
    },
    close() {
      cancel()
      open.clear()
    },
  }
}

/** The words for what is late. */
export function lateText(late: readonly LateWait[]): string {
  return late.map(({ what, ms }) => `${what} (${Math.round(ms / 1000)} s)`).join(", ")
}
