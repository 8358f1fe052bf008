/** Runs work on a file after all earlier work on the same file has ended. */
export type WithFileLock = <T>(file: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** Locks by real path, inside this process. A waiter whose signal aborts leaves without running. */
export function createFileLocks(): WithFileLock {
  const tails = new Map<string, Promise<void>>()
  return async (file, signal, work) => {
    const before = tails.get(file) ?? Promise.resolve()
    const own = Promise.withResolvers<void>()
    const tail = before.then(() => own.promise)
    tails.set(file, tail)
    try {
      await before
      signal.throwIfAborted()
      return await work()
    } finally {
      own.resolve()
      if (tails.get(file) === tail) tails.delete(file)
    }
  }
}
