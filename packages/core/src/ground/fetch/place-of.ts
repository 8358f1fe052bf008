import ipaddr from "ipaddr.js"

/**
 * What counts as one place of those who try something: someone has all of a /64 of IPv6 at once (RFC 6177). An IPv4 address
 * in IPv6's clothes is that address; what is no address is a place of its own.
 */
export function placeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`
}
