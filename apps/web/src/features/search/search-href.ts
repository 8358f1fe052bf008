/** The search page for these words. */
export function searchHref(text: string): string {
  return `/search?q=${encodeURIComponent(text)}`
}
