import ipaddr from "ipaddr.js"

/**
 * The place under which attempts from an address are counted. For IPv6 it is the /64, since one customer has all of its
 * addresses (RFC 6177). An IPv4 address written as IPv6 is that IPv4 address; a text that is no address is its own
 * place.
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
