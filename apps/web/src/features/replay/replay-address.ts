/** The time in an address (`?at=`, epoch ms); null when there is none. */
export function momentOf(text: string | null): number | null {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** The address of a page at a time in the past; the address of the live page if `at` is null. */
export function addressAt(location: { pathname: string; search: string }, at: number | null): string {
  const params = new URLSearchParams(location.search)
  if (at === null) params.delete("at")
  else {
    params.set("at", String(at))
    params.delete("part")
  }
  const search = params.toString()
  return search === "" ? location.pathname : `${location.pathname}?${search}`
}
