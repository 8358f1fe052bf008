/** Calls functions later. No timer keeps the process alive. Each method returns a function that cancels the calls. */
export interface Timers {
  /** Calls `run` once, after `ms`. */
  after(ms: number, run: () => void): () => void
  /** Calls `run` each time that `ms` have passed. */
  every(ms: number, run: () => void): () => void
}

export const nodeTimers: Timers = {
  after(ms, run) {
    const timer = setTimeout(run, ms).unref()
    return () => clearTimeout(timer)
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref()
    return () => clearInterval(timer)
  },
}
