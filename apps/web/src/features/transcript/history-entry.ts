/**
 * The key of the entry of the tab's history that is shown: the same after a reload and when Back comes to it again.
 * Null in browsers without the Navigation API.
 */
export function historyEntry(): string | null {
  return "navigation" in window ? (window.navigation.currentEntry?.key ?? null) : null
}
