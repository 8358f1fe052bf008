import { browserWindow } from "./browser-window.ts"

export interface SilenceWatch {
  /** Call when anything arrives. */
  received(): void
  stop(): void
}

export interface SilenceOptions {
  /** Epoch ms. A monotonic clock may stop while the machine sleeps. */
  clock(): number
  /** Silence longer than this is a lost connection. Milliseconds. */
  longestMs: number
  /** How often to look. Milliseconds. */
  lookEveryMs: number
  /** The browser's `window`, whose events say when the page may have been suspended. */
  page: EventTarget | null
}

/** Longer than two pings of the service, which come every 5 s. */
export const usualSilence: SilenceOptions = {
  clock: () => Date.now(),
  longestMs: 12_000,
  lookEveryMs: 2_000,
  page: browserWindow,
}

/** Events that come when a page may have been suspended before. */
const wakeEvents = ["visibilitychange", "pageshow", "online"]

/**
 * Calls `onSilent` once after too long a silence. It also checks when the page is shown again, because browsers slow
 * down the timers of hidden pages and a sleeping machine runs none.
 */
export function watchSilence(options: SilenceOptions, onSilent: () => void): SilenceWatch {
  const { clock, longestMs, lookEveryMs, page } = options
  let heardAt = clock()
  const look = () => {
    // `abs`, since the clock may be set back: how long the silence lasts is then unknown, which counts as too long.
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
    received() {
      heardAt = clock()
    },
    stop,
  }
}
