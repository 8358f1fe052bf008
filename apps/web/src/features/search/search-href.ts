/** The page of all that holds these words. */
export function searchHref(text: string): string {
  return `/search?q=${encodeURIComponent(text)}`
}
