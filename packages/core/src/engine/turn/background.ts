/** How long background work may continue (ms) once the process wants to end. */
const graceMs = 3_000

/** Work that nothing waits for before the process ends. */
export interface Background {
  /** Starts `work`, which must not reject. Its signal aborts when the process no longer waits for it. */
  add(work: (signal: AbortSignal) => Promise<void>): void
  /** Aborts all running work. */
  interrupt(): void
  /** Waits for all work and aborts what takes too long. */
  done(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  let closing = new AbortController()
  return {
    add(work) {
      const started = work(closing.signal)
      running.add(started)
      void started.then(() => running.delete(started))
    },
    interrupt() {
      closing.abort()
      closing = new AbortController()
    },
    async done() {
      const timer = setTimeout(() => closing.abort(), graceMs)
      await Promise.all(running)
      clearTimeout(timer)
    },
  }
}
