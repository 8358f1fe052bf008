/**
 * Key of the current entry in the tab's history. It stays the same after a reload and after Back. Null in browsers
 * without the Navigation API.
 */
export function historyEntry(): string | null {
  return "navigation" in window ? (window.navigation.currentEntry?.key ?? null) : null
}
