/** Secrets of one kind in files of a data directory. */
export interface Drawer {
  /** The file or directory that holds them, by its name in the data directory; null where none does. */
  place: string | null
  /** Null when there is none. @throws config_invalid when the file cannot be read */
  get(name: string): Promise<unknown>
  /** @throws as `get` */
  all(): Promise<Map<string, unknown>>
  /** Null removes it. */
  set(name: string, value: unknown): Promise<void>
  /** Removes all of them with their files. */
  clear(): Promise<void>
}

/** What is lost with the process. */
export function memoryDrawer(): Drawer {
  const kept = new Map<string, unknown>()
  return {
    place: null,
    get: async (name) => kept.get(name) ?? null,
    all: async () => new Map(kept),
    async set(name, value) {
      if (value === null) kept.delete(name)
      else kept.set(name, value)
    },
    async clear() {
      kept.clear()
    },
  }
}
