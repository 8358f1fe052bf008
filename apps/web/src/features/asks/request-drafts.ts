/** What a person began for a request in this tab and did not send: another request, or a reload, comes between. */
export interface RequestDrafts<Value> {
  read(requestID: string): Value | null
  /** Null when nothing is left to keep. */
  write(requestID: string, value: Value | null): void
}

/** Longer ones (UTF-16 units) last as long as the page: they would not fit beside the others. */
const longest = 200_000

/** Keeps what was begun under `key` of a tab's storage. What is there and is no such value is forgotten. */
export function createRequestDrafts<Value>(
  key: string,
  isValue: (value: unknown) => value is Value,
  storage: () => Pick<Storage, "getItem" | "setItem"> = () => sessionStorage,
): RequestDrafts<Value> {
  let kept: Map<string, Value> | null = null
  const load = () => {
    kept ??= new Map(entriesOf(() => storage().getItem(key), isValue))
    return kept
  }
  return {
    read: (requestID) => load().get(requestID) ?? null,
    write(requestID, value) {
      const begun = load()
      if (value === null) begun.delete(requestID)
      else begun.set(requestID, value)
      try {
        const short = [...begun].filter((entry) => JSON.stringify(entry).length <= longest)
        storage().setItem(key, JSON.stringify(short))
      } catch {
        // A full or forbidden storage: it lasts as long as the page.
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
