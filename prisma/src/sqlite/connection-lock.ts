/** Separates a transaction of several calls from everything else on its connection. */
export interface ConnectionLock {
  /** Resolves when the connection is free. Whoever acquires it must release it. */
  acquire(): Promise<void>
  release(): void
  /** Runs synchronous work: at once when the connection is free, else in its turn. */
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
    // Passed on directly, so that no other work gets in between.
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
