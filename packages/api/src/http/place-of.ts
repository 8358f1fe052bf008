/** What tries are counted by: an address, of which somebody has all of a /64 at once in IPv6. */
export function placeOf(address: string): string {
  if (!address.includes(":") || address.startsWith("::ffff:")) return address
  return address.split(":").slice(0, 4).join(":")
}
