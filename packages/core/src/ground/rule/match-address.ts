import type { PermissionRuleset } from "../schema/permission.ts"
import { matchWildcard } from "./wildcard.ts"

/** An address or a pattern of addresses in its parts. */
interface AddressParts {
  scheme: string
  /** With the port, where it is not the usual one. */
  host: string
  /** With the query; undefined where a pattern ends with the host. */
  path: string | undefined
}

function partsOf(text: string): AddressParts | null {
  const [, scheme, host, path] = /^([^/]+):\/\/([^/?#]*)(.*)$/s.exec(text) ?? []
  return scheme === undefined || host === undefined ? null : { scheme, host, path: path === "" ? undefined : path }
}

/**
 * Whether a pattern for `webfetch` matches an address. A pattern with `://` is compared part by part: what stands in for
 * a host never matches a path, so `https://*.example.com/*` is about that domain alone. Any other pattern is compared with
 * the whole text.
 */
export function matchAddress(pattern: string, address: string): boolean {
  const [wanted, there] = [partsOf(withoutUsualPort(asURL(pattern))), partsOf(address)]
  if (wanted === null || there === null) return matchWildcard(pattern, address)
  if (!matchWildcard(wanted.scheme, there.scheme) || !matchHost(wanted.host, there.host)) return false
  // A pattern that ends with a wildcard host stands for all that the host serves.
  if (wanted.path === undefined) return wanted.host.endsWith("*") || (there.path ?? "/") === "/"
  return matchWildcard(wanted.path, there.path ?? "/")
}

/** `example.com*` is that host on any port: `example.com.evil.org` is another one. */
function matchHost(wanted: string, host: string): boolean {
  if (!/[^.*?]\*$/.test(wanted)) return matchWildcard(wanted, host)
  return matchWildcard(wanted.slice(0, -1), host) || matchWildcard(`${wanted.slice(0, -1)}:*`, host)
}

/** A pattern with its host as a URL writes it: in lower case, and in ASCII. */
function asURL(pattern: string): string {
  const parts = partsOf(pattern)
  if (parts === null) return pattern
  const { scheme, host, path = "" } = parts
  const plain = host.toLowerCase()
  // A wildcard host is no host that can be converted.
  const ascii = /[^\0-\x7F]/.test(plain) && URL.canParse(`http://${plain}`) ? new URL(`http://${plain}`).host : plain
  const encoded = path.replace(/[^\0-\x7F]+/g, (text) => encodeURIComponent(text))
  return `${scheme.toLowerCase()}://${ascii}${encoded}`
}

/**
 * Whether the rules name this host and port in full and allow the address: only then may it lead to this machine or its
 * networks. Every list of rules has to.
 */
export function allowsLocalAddress(address: URL, rulesets: readonly PermissionRuleset[]): boolean {
  const names = (pattern: string) => {
    const host = partsOf(pattern)?.host
    return host !== undefined && host === `${address.hostname}:${address.port || usualPort(address)}`
  }
  const text = address.href
  return rulesets.every((rules) => {
    const rule = rules.findLast((one) => matchWildcard(one.permission, "webfetch") && matchAddress(one.pattern, text))
    return rule?.action === "allow" && names(rule.pattern)
  })
}

function usualPort({ protocol }: URL): string {
  return protocol === "https:" ? "443" : "80"
}

/** `http://host:80/…` as a URL writes it. */
function withoutUsualPort(pattern: string): string {
  return pattern.replace(/^(http:\/\/[^/]*):80(?=\/|$)|^(https:\/\/[^/]*):443(?=\/|$)/, "$1$2")
}
