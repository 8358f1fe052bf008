/** The tab title with the number of pending requests in all trees. Replaces an older number. */
export function titleWithCount(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\) /, "")
  return count > 0 ? `(${count}) ${bare}` : bare
}

/** Docket's logo with the number on it, as a URL for the tab's icon; null for the plain icon. */
export function badgedIcon(count: number): string | null {
  if (count <= 0) return null
  const text = count > 9 ? "9+" : String(count)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#4f46e5"/><path d="M9 10h9M9 16h6M9 22h4" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="21" cy="20" r="11" fill="#b45309"/><text x="21" y="25.5" text-anchor="middle" font-family="sans-serif" font-size="${count > 9 ? 13 : 16}" font-weight="700" fill="#fff">${text}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
