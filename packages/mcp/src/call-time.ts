import type { Timers } from "@docket/core/timers"

/** How long a call may take. */
export interface CallTime {
  /** Something was heard. */
  heard(): void
  /** The time while a person is asked does not count; call the returned function afterwards. */
  hold(): () => void
  stop(): void
}

interface CallTimeDeps {
  timers: Timers
  /** Monotonic ms. */
  now(): number
}

export interface CallLimits {
  /** ms of silence. */
  silentMs: number
  /** ms in all, however often something is heard. */
  totalMs: number
}

/** Calls `onOver` once, with the limit that was reached. */
export function createCallTime(
  { timers, now }: CallTimeDeps,
  { silentMs, totalMs }: CallLimits,
  onOver: (limit: keyof CallLimits) => void,
): CallTime {
  let holds = 0
  let left = totalMs
  let since = now()
  const nothing = () => {}
  let forget = { silence: nothing, total: nothing }
  const stop = () => {
    forget.silence()
    forget.total()
    forget = { silence: nothing, total: nothing }
  }
  const over = (limit: keyof CallLimits) => {
    stop()
    onOver(limit)
  }
  const heard = () => {
    if (holds > 0) return
    forget.silence()
    forget.silence = timers.after(silentMs, () => over("silentMs"))
  }
  const run = () => {
    since = now()
    forget.total = timers.after(Math.max(left, 0), () => over("totalMs"))
    heard()
  }
  const pause = () => {
    if (holds === 0) left -= now() - since
    holds += 1
    stop()
  }
  run()
  return {
    heard,
    hold() {
      pause()
      return () => {
        holds -= 1
        if (holds === 0) run()
      }
    },
    stop: pause,
  }
}
