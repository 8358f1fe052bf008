import { isIP, type LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"

/** IPv6 ranges that lead to IPv4 addresses or into a network, whether or not ipaddr.js calls them unicast. */
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

/** Which addresses may be reached, and the error for all others. */
export interface AddressCheck {
  isAllowed(address: string): boolean
  refusal(hostname: string): Error
}

/**
 * Checks an address in the URL itself, to which one connects without a look-up. `URL` has already rewritten decimal and
 * octal forms.
 */
export function checkURL({ protocol, hostname }: URL, { isAllowed, refusal }: AddressCheck): void {
  if (protocol !== "http:" && protocol !== "https:") throw new Error(`only http and https are fetched, not ${protocol}`)
  const address = hostname.replace(/^\[|\]$/g, "")
  if (isIP(address) !== 0 && !isAllowed(address)) throw refusal(hostname)
}

/** Looks a name up, and fails unless all of its addresses may be reached. */
export function checkedLookup(lookup: LookupFunction, { isAllowed, refusal }: AddressCheck): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const addresses = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }]
      const [first] = addresses
      if (first === undefined || !addresses.every(({ address }) => isAllowed(address))) {
        return callback(refusal(hostname), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}

/** Whether an address is public, or one of these addresses and networks. */
export function allowedAddresses(ranges: readonly string[]): (address: string) => boolean {
  const networks = ranges.map((range) => (range.includes("/") ? ipaddr.parseCIDR(range) : single(range)))
  return (address) => {
    if (isPublicAddress(address)) return true
    if (!ipaddr.isValid(address)) return false
    // An IPv4 address written as IPv6 (::ffff:…) is that IPv4 address.
    const parsed = ipaddr.process(address)
    return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits))
  }
}

function single(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address)
  return [parsed, parsed.kind() === "ipv4" ? 32 : 128]
}
