/** Pause between two attempts (ms). */
const retryMs = 1_000

/** The server does not have this code: it is newer than the page. */
export class PartLoadError extends Error {
  override name = "PartLoadError"
}

export interface LoadPartDeps {
  /** Whether the server delivers pages. */
  answers(): Promise<boolean>
  pause(): Promise<void>
}

const listeners = new Set<() => void>()
let waiting = 0

/**
 * Loads code after the page. While the server cannot be reached, it retries until the server answers, so that a restart
 * never breaks a page. If the server answers and one more attempt fails:
 * @throws PartLoadError
 */
export async function loadPart<Part>(load: () => Promise<Part>, deps: LoadPartDeps = browser): Promise<Part> {
  let waits = false
  const setWaits = (now: boolean) => {
    if (now === waits) return
    waits = now
    waiting += now ? 1 : -1
    for (const listener of listeners) listener()
  }
  for (;;) {
    try {
      const part = await load()
      setWaits(false)
      return part
    } catch {
      if (await deps.answers()) {
        setWaits(false)
        return load().catch((cause: unknown) => {
          throw new PartLoadError("A part of this page could not be loaded.", { cause })
        })
      }
      setWaits(true)
      await deps.pause()
    }
  }
}

/** Whether code is waiting because the server cannot be reached. */
export const waitingParts = {
  get: () => waiting > 0,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Whether the server delivers pages. Right after its start it answers, but without pages. */
export async function pagesAnswer(): Promise<boolean> {
  return fetch("/login", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  )
}

const browser: LoadPartDeps = {
  answers: pagesAnswer,
  pause: () => new Promise((resolve) => setTimeout(resolve, retryMs)),
}
