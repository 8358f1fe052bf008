/** Lets so many turns work at once. */
interface TurnSlots {
  /** Runs the work when there is room, or when the signal aborts: whoever was stopped need not wait to hear it. */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

/** @param limit how many there may be now; null for any number */
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
        signal.removeEventListener("abort", leave)
        resolve()
      }
      const leave = () => {
        if (!waiting.delete(go)) return
        working += 1
        resolve()
      }
      waiting.add(go)
      if (signal.aborted) leave()
      else signal.addEventListener("abort", leave, { once: true })
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
