/** How long to wait before asking again (ms). */
const retryMs = 1_000

/** The server has no such code: the page is older than it. */
export class PartLoadError extends Error {
  override name = "PartLoadError"
}

export interface LoadPartDeps {
  /** Whether the server serves pages. */
  answers(): Promise<boolean>
  pause(): Promise<void>
}

const listeners = new Set<() => void>()
let waiting = 0

/**
 * Loads code that comes after the page. While the server cannot be reached it asks again until it answers, so that
 * a restart never breaks a page. When it answers and the code still does not come, after one more attempt:
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

/** Code waits for a server that cannot be reached. */
export const waitingParts = {
  get: () => waiting > 0,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Whether the server serves pages. Right after its start it answers, but not with pages yet. */
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
