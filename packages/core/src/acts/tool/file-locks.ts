import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"

/** Runs work on a file after all earlier work on the same file has ended. */
export type WithFileLock = <T>(file: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/** Locks by real path, within this process. A waiter whose signal aborts does not run its work. */
export function createFileLocks(): WithFileLock {
  const inOrder = createKeyedQueue()
  return (file, signal, work) =>
    inOrder(file, async () => {
      signal.throwIfAborted()
      return await work()
    })
}
