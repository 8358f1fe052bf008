import { isIPv4, isIPv6 } from "node:net"

/** Whether only this machine can reach the address. A host name is never loopback, whatever it begins with. */
export function isLoopback(address: string): boolean {
  return isIPv6(address) ? address === "::1" : isIPv4(address) && address.startsWith("127.")
}
