/** One frame of a screen (ms). */
const notifyMs = 16

export interface Listeners {
  /** Returns a function that removes it. */
  add(listener: () => void): () => void
  /** Calls every listener soon, once for all notifications until then. */
  notify(): void
  clear(): void
}

export function createListeners(): Listeners {
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const tell = () => {
    timer = undefined
    for (const listener of listeners) listener()
  }
  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    notify() {
      if (listeners.size > 0) timer ??= setTimeout(tell, notifyMs)
    },
    clear() {
      clearTimeout(timer)
      listeners.clear()
    },
  }
}
