import type { Timers } from "@docket/core/timers"

/** ms before a list is read again; doubles with each reading that follows soon, so that a storm costs little. */
const wait = { first: 300, longest: 60_000 } as const

export interface ListRefresh {
  /** The list has changed; it is read soon, once for many changes. */
  changed(): void
  stop(): void
}

export function createListRefresh(
  { timers, now }: { timers: Timers; now(): number },
  read: () => Promise<void>,
): ListRefresh {
  let gap: number = wait.first
  let readAt = Number.NEGATIVE_INFINITY
  let isReading = false
  let isStale = false
  let forget: (() => void) | null = null
  const plan = () => {
    if (forget !== null || isReading) return
    if (now() - readAt > wait.longest) gap = wait.first
    forget = timers.after(gap, () => {
      forget = null
      gap = Math.min(gap * 2, wait.longest)
      isStale = false
      isReading = true
      void read().finally(() => {
        isReading = false
        readAt = now()
        if (isStale) plan()
      })
    })
  }
  return {
    changed() {
      isStale = true
      plan()
    },
    stop: () => forget?.(),
  }
}
