import ipaddr from "ipaddr.js"

/** IPv6 ranges that lead to IPv4 addresses or into a network, and that are unicast by name. */
const hidden: [string, number][] = [
  ["::", 96],
  ["64:ff9b::", 32],
  ["2002::", 16],
  ["fec0::", 10],
]

/** Public by its range, but answered by the host of an Azure machine: it gives out that machine's configuration. */
const azureHost = "168.63.129.16"

/**
 * Whether an IP address is one of the public internet: not of this machine, a private or provider's network, a cloud's
 * metadata service, nor an IPv6 form of any of these.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== "unicast" || parsed.toString() === azureHost) return false
  return parsed.kind() === "ipv4" || !hidden.some(([network, bits]) => parsed.match(ipaddr.parse(network), bits))
}
