/** The address of a part: this page with `?part=`. Other parameters and the fragment are dropped. */
export function partAddress(location: { origin: string; pathname: string }, partID: string): string {
  return `${location.origin}${location.pathname}?part=${encodeURIComponent(partID)}`
}
