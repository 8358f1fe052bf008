/** Work that counts as running time of a tree: a turn, or a tool call beside others. */
export interface Work {
  /** Runs `wait` without counting this work, because it waits for a person or for tasks that count themselves. */
  rest<T>(wait: () => Promise<T>): Promise<T>
  /** Starts other work in the same tree. */
  beside(): Work
  /** Further calls do nothing. */
  end(): void
}

/** Work that counts from now on. `onStart` and `onStop` alternate. */
export function createWork(on: { start(): void; stop(): void }): Work {
  let resting = 0
  let ended = false
  on.start()
  return {
    async rest(wait) {
      resting += 1
      if (resting === 1 && !ended) on.stop()
      try {
        return await wait()
      } finally {
        resting -= 1
        if (resting === 0 && !ended) on.start()
      }
    },
    beside: () => createWork(on),
    end() {
      if (ended) return
      ended = true
      if (resting === 0) on.stop()
    },
  }
}

/** Combines several works into one. It pauses and ends all of them. */
export function combineWork(works: readonly Work[]): Work {
  const [only] = works
  if (works.length === 1 && only !== undefined) return only
  return {
    rest: (wait) => works.reduceRight<typeof wait>((inner, work) => () => work.rest(inner), wait)(),
    beside: () => combineWork(works.map((work) => work.beside())),
    end() {
      for (const work of works) work.end()
    },
  }
}
