import type { Timers } from "@docket/core/timers"

/** How long a call may be silent. */
export interface Silence {
  /** Something was heard. */
  heard(): void
  /** The time while a person is asked does not count; call the returned function afterwards. */
  hold(): () => void
  stop(): void
}

export function createSilence(timers: Timers, ms: number, onTooLong: () => void): Silence {
  let holds = 0
  let forget: () => void = () => {}
  const heard = () => {
    forget()
    if (holds === 0) forget = timers.after(ms, onTooLong)
  }
  heard()
  return {
    heard,
    hold() {
      holds += 1
      forget()
      return () => {
        holds -= 1
        heard()
      }
    },
    stop() {
      holds += 1
      forget()
    },
  }
}
