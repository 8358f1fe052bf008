import { browserWindow } from "./browser-window.ts"

export interface SilenceWatch {
  /** Something has arrived. */
  heard(): void
  stop(): void
}

export interface SilenceOptions {
  /** The time of day, epoch ms: a clock that stands still while the machine sleeps would not see the sleep. */
  clock(): number
  /** Silence longer than this is a lost connection. Milliseconds. */
  longestMs: number
  /** How often to look. Milliseconds. */
  lookEveryMs: number
  /** The window of a browser. It tells when a page may have stood still. */
  page: EventTarget | null
}

/** Two pings of the service, which come every 5 s, and a bit. */
export const usualSilence: SilenceOptions = {
  clock: () => Date.now(),
  longestMs: 12_000,
  lookEveryMs: 2_000,
  page: browserWindow,
}

/** What tells a page that it may have stood still: it is shown again, comes back, or has a network again. */
const wakeEvents = ["visibilitychange", "pageshow", "online"]

/**
 * Calls `onSilent` once when nothing was heard for too long. It also looks when the page is shown again, since a
 * hidden one runs its timers seldom and a sleeping machine runs none.
 */
export function watchSilence(options: SilenceOptions, onSilent: () => void): SilenceWatch {
  const { clock, longestMs, lookEveryMs, page } = options
  let heardAt = clock()
  const look = () => {
    // A clock that was set back says no less that the time is unknown.
    if (Math.abs(clock() - heardAt) <= longestMs) return
    stop()
    onSilent()
  }
  const timer = setInterval(look, lookEveryMs)
  for (const type of wakeEvents) page?.addEventListener(type, look)
  const stop = () => {
    clearInterval(timer)
    for (const type of wakeEvents) page?.removeEventListener(type, look)
  }
  return {
    heard() {
      heardAt = clock()
    },
    stop,
  }
}
