/** The address of a part: this page with `?part=`; other parameters and the fragment are left out. */
export function partAddress(location: { origin: string; pathname: string }, partID: string): string {
  return `${location.origin}${location.pathname}?part=${encodeURIComponent(partID)}`
}
