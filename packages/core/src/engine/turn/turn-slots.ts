/** Limits how many turns work at once. */
interface TurnSlots {
  /** Runs the work when there is room, or when the signal aborts: a stopped turn must not wait to learn of it. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** @param limit the current limit; null for none */
export function createTurnSlots(limit: () => number | null): TurnSlots {
  let working = 0
  const waiting = new Set<() => void>()
  const isFull = () => working >= (limit() ?? Number.POSITIVE_INFINITY)
  const wake = () => {
    for (const go of waiting) {
      if (isFull()) return
      waiting.delete(go)
      working += 1
      go()
    }
  }
  const enter = (signal: AbortSignal): Promise<void> => {
    if (waiting.size === 0 && !isFull()) {
      working += 1
      return Promise.resolve()
    }
    return new Promise((resolve) => {
      const go = () => {
        signal.removeEventListener("abort", enterAnyway)
        resolve()
      }
      // A stopped turn works beyond the limit for the moment that it takes to end.
      const enterAnyway = () => {
        if (!waiting.delete(go)) return
        working += 1
        resolve()
      }
      waiting.add(go)
      if (signal.aborted) enterAnyway()
      else signal.addEventListener("abort", enterAnyway, { once: true })
    })
  }
  return {
    async run(signal, work) {
      await enter(signal)
      try {
        return await work()
      } finally {
        working -= 1
        wake()
      }
    },
  }
}
