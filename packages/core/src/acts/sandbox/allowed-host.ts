import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import ipaddr from "ipaddr.js"
import { isPublicAddress } from "../../ground/fetch/public-address.ts"

/** The host and port that a program wants to connect to. */
export interface Destination {
  /** A host name or an address, without brackets. */
  host: string
  port: number
}

/** The ports of an entry without a port. */
const usualPorts: readonly number[] = [80, 443]

/**
 * The address of an allowed host; null when no entry allows it. The connection uses this address, so that a second
 * look-up cannot differ. A private address needs an entry without a wildcard, an address of this machine an entry with
 * a port.
 */
export async function allowedAddress(allowed: readonly string[], to: Destination): Promise<string | null> {
  const host = hostOf(to)
  const mayBeAt = addressCheck(allowed, to)
  if (mayBeAt === null) return null
  const addresses = isIP(host) === 0 ? await resolved(host) : [host]
  return addresses.find(mayBeAt) ?? null
}

/** Which addresses an allowed host may have; null when no entry allows it. */
export function addressCheck(allowed: readonly string[], to: Destination): ((address: string) => boolean) | null {
  const entries = allowed.filter((entry) => includesHost(entry, { host: hostOf(to), port: to.port }))
  return entries.length === 0 ? null : (address) => entries.some((entry) => mayLeadTo(entry, address))
}

function hostOf({ host }: Destination): string {
  return host.toLowerCase().replace(/\.$/, "")
}

function includesHost(entry: string, { host, port }: Destination): boolean {
  const [name = "", ownPort] = entry.split(":")
  if (ownPort === undefined ? !usualPorts.includes(port) : Number(ownPort) !== port) return false
  return name.startsWith("*.") ? host.endsWith(name.slice(1)) : host === name
}

function mayLeadTo(entry: string, address: string): boolean {
  if (isPublicAddress(address)) return true
  if (entry.startsWith("*.")) return false
  const isPrivate = ["private", "uniqueLocal", "carrierGradeNat"].includes(ipaddr.process(address).range())
  return isPrivate || entry.includes(":")
}

async function resolved(host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}
