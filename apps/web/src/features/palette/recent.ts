const key = "docket-palette"
/** Number of recent entries that are stored. */
const kept = 5

/** Ids of the entries that were used last in this browser, newest first. */
export function recentEntries(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : []
  } catch {
    return []
  }
}

export function rememberEntry(id: string): void {
  const own = id.replace(/^recent:/, "")
  try {
    localStorage.setItem(key, JSON.stringify([own, ...recentEntries().filter((other) => other !== own)].slice(0, kept)))
  } catch {
    // Storage is full or blocked: there are no recent entries.
  }
}
