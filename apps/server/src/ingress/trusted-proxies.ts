import { BlockList, isIPv4 } from "node:net"

/** Whether the peer of a connection is a proxy whose headers are trusted. */
export type IsTrustedProxy = (address: string) => boolean

/** @param networks addresses and networks, e.g. `127.0.0.1` and `10.0.0.0/24` */
export function trustedProxies(networks: readonly string[]): IsTrustedProxy {
  const list = new BlockList()
  for (const network of networks) {
    const [address = "", prefix] = network.split("/")
    const family = familyOf(address)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => list.check(address, familyOf(address))
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6"
}
