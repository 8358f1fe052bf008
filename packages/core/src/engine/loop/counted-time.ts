/** Running time of a tree that is being counted: of a turn, or of a tool call beside others. */
export interface CountedTime {
  /** Runs `wait` without counting, because it waits for a person or for tasks that count themselves. */
  pauseFor<T>(wait: () => Promise<T>): Promise<T>
  /** Counts other work in the same tree that runs at the same time. */
  beside(): CountedTime
  /** Further calls do nothing. */
  end(): void
}

/** Counts from now on. Calls of `on.start` and `on.stop` alternate. */
export function countTime(on: { start(): void; stop(): void }): CountedTime {
  let pauses = 0
  let ended = false
  on.start()
  return {
    async pauseFor(wait) {
      pauses += 1
      if (pauses === 1 && !ended) on.stop()
      try {
        return await wait()
      } finally {
        pauses -= 1
        if (pauses === 0 && !ended) on.start()
      }
    },
    beside: () => countTime(on),
    end() {
      if (ended) return
      ended = true
      if (pauses === 0) on.stop()
    },
  }
}

/** Combines several into one. It pauses and ends all of them. */
export function combineTimes(times: readonly CountedTime[]): CountedTime {
  const [only] = times
  if (times.length === 1 && only !== undefined) return only
  return {
    pauseFor: (wait) => times.reduceRight<typeof wait>((inner, time) => () => time.pauseFor(inner), wait)(),
    beside: () => combineTimes(times.map((time) => time.beside())),
    end() {
      for (const time of times) time.end()
    },
  }
}
