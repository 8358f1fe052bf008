import { isIPv6 } from "node:net"

/** Whether only this machine reaches the address. */
export function isLoopback(address: string): boolean {
  return isIPv6(address) ? address === "::1" : address.startsWith("127.")
}
