/**
 * Whether Back leads to another page of this app. False when the browser does not tell: without the Navigation API, and
 * in a tab that was opened by a link.
 */
export function leadsBack(): boolean {
  if (!("navigation" in window)) return false
  const { navigation, location } = window
  const index = navigation.currentEntry?.index ?? 0
  const before = navigation.entries()[index - 1]?.url
  return before != null && new URL(before).origin === location.origin
}
