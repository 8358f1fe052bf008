import ipaddr from "ipaddr.js"
import { isPublicAddress } from "./public-address.ts"

/** Whether an address is public, or one of these addresses and networks. */
export function allowedAddresses(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges.map((range) => (range.includes("/") ? ipaddr.parseCIDR(range) : single(range)))
  return (address) => {
    if (isPublicAddress(address)) return true
    if (!ipaddr.isValid(address)) return false
    // An IPv4 address in IPv6's clothes is that address.
    const parsed = ipaddr.process(address)
    return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
  }
}

function single(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address)
  return [parsed, parsed.kind() === "ipv4" ? 32 : 128]
}
