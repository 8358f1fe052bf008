import type { Timers } from "./timers.ts"

/** Work that is done at once and then again and again, never twice at a time. */
export interface Repeated {
  start(): void
  /** Resolves when none of it goes on. */
  stop(): Promise<void>
}

interface RepeatedDeps {
  /** From one start of the work to the next; it is left out while the work goes on. */
  ms: number
  timers: Timers
  onError(error: unknown): void
}

export function createRepeated({ ms, timers, onError }: RepeatedDeps, work: () => Promise<void>): Repeated {
  let cancel = () => {}
  let working: Promise<void> | null = null
  let isWanted = false
  const run = () => {
    working ??= work()
      .catch(onError)
      .finally(() => {
        working = null
        if (!isWanted) return
        isWanted = false
        run()
      })
  }
  return {
    start() {
      cancel()
      cancel = timers.every(ms, run)
      // What goes on may have begun before there was a reason to start.
      isWanted = working !== null
      run()
    },
    async stop() {
      cancel()
      isWanted = false
      await working
    },
  }
}
