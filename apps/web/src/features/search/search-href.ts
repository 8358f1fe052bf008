export function searchHref(text: string): string {
  return `/search?q=${encodeURIComponent(text)}`
}
