/** Keeps a transaction that takes several calls apart from everything else on its connection. */
export interface ConnectionLock {
  /** Resolves when nobody else has the connection. Whoever acquires it releases it. */
  acquire(): Promise<void>
  release(): void
  /** Runs work that does not leave the call: at once when nobody has the connection, else in its turn. */
  alone<T>(work: () => T): Promise<T>
}

export function createConnectionLock(): ConnectionLock {
  let isHeld = false
  const waiting: (() => void)[] = []
  const acquire = async () => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
    isHeld = true
  }
  const release = () => {
    const next = waiting.shift()
    // Handed over without a gap, so that nobody comes between.
    if (next) next()
    else isHeld = false
  }
  return {
    acquire,
    release,
    async alone(work) {
      if (!isHeld) return work()
      await acquire()
      try {
        return work()
      } finally {
        release()
      }
    },
  }
}
