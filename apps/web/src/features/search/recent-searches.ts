const key = "docket-searches"
/** Number of searches that are stored. */
const maxSearches = 8

/** The latest searches in this browser, newest first. */
export function recentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]")
    return Array.isArray(stored) ? stored.filter((text) => typeof text === "string") : []
  } catch {
    return []
  }
}

export function rememberSearch(text: string): void {
  const trimmed = text.trim()
  if (trimmed === "") return
  keep([trimmed, ...recentSearches().filter((other) => other !== trimmed)].slice(0, maxSearches))
}

export function forgetSearches(): void {
  keep([])
}

function keep(searches: readonly string[]): void {
  try {
    localStorage.setItem(key, JSON.stringify(searches))
  } catch {
    // Storage is full or blocked: there are no recent searches.
  }
}
