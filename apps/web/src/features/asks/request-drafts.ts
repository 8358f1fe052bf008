/** The user's unsent drafts for requests in this tab. They survive a switch to another request and a reload. */
export interface RequestDrafts<Value> {
  read(requestID: string): Value | null
  /** Null removes the draft. */
  write(requestID: string, value: Value | null): void
}

/** Longer drafts (UTF-16 units) are lost with the page: they would not leave storage for the others. */
const longest = 200_000

/** Stores drafts under `key` in the tab's storage. Invalid stored values are dropped. */
export function createRequestDrafts<Value>(
  key: string,
  isValue: (value: unknown) => value is Value,
  storage: () => Pick<Storage, "getItem" | "setItem"> = () => sessionStorage,
): RequestDrafts<Value> {
  let loaded: Map<string, Value> | null = null
  const load = () => {
    loaded ??= new Map(entriesOf(() => storage().getItem(key), isValue))
    return loaded
  }
  return {
    read: (requestID) => load().get(requestID) ?? null,
    write(requestID, value) {
      const drafts = load()
      if (value === null) drafts.delete(requestID)
      else drafts.set(requestID, value)
      try {
        const short = [...drafts].filter((entry) => JSON.stringify(entry).length <= longest)
        storage().setItem(key, JSON.stringify(short))
      } catch {
        // The storage is full or forbidden: the draft is lost with the page.
      }
    },
  }
}

function entriesOf<Value>(
  read: () => string | null,
  isValue: (value: unknown) => value is Value,
): (readonly [string, Value])[] {
  try {
    const entries: unknown = JSON.parse(read() ?? "[]")
    if (!Array.isArray(entries)) return []
    return entries.flatMap((entry: unknown) => {
      if (!Array.isArray(entry)) return []
      const [requestID, value]: unknown[] = entry
      return typeof requestID === "string" && isValue(value) ? [[requestID, value] as const] : []
    })
  } catch {
    return []
  }
}
