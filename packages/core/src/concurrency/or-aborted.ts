import { once } from "node:events"

/** What `working` comes to, or a rejection with the signal's reason as soon as that aborts. Nothing stays listening. */
export async function orAborted<T>(working: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody hears it when the signal came first.
  working.catch(() => {})
  signal.throwIfAborted()
  const over = new AbortController()
  const aborted = once(signal, "abort", { signal: over.signal }).then((): never => {
    throw signal.reason
  })
  try {
    return await Promise.race([working, aborted])
  } finally {
    aborted.catch(() => {})
    over.abort()
  }
}
