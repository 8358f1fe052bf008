import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Ingress, ShareReader } from "@docket/api"

/** What the headers of a page depend on. */
export interface PageFacts {
  /** Whether the address alone opens something, as the address of a share link does. */
  isShared: boolean
  /** Whether search engines may list it. */
  indexed: boolean
  /** Origins whose pages may embed it. */
  embedSites: readonly string[]
}

const ownPage: PageFacts = { isShared: false, indexed: false, embedSites: [] }
const deadPage: PageFacts = { ...ownPage, isShared: true }

/** The facts of the share behind a page; a dead link is like a share with the defaults. */
export async function pageFacts(shares: ShareReader, { url = "", headers }: IncomingMessage): Promise<PageFacts> {
  const [, kind, secret] = /^\/(share|embed)\/([^/?]+)/.exec(url) ?? []
  if (kind === undefined || secret === undefined) return /^\/(share|embed)\//.test(url) ? deadPage : ownPage
  const facts = await shares.facts({ secret, cookie: headers.cookie })
  if (facts === null) return deadPage
  return { isShared: true, indexed: facts.indexed, embedSites: kind === "embed" ? facts.embedSites : [] }
}

/**
 * Sets the security headers of a page and returns the nonce for its scripts. Next reads the nonce from the policy in
 * the request. Inline styles are allowed, because the component kit writes them.
 */
export function setPageHeaders(
  req: IncomingMessage,
  res: ServerResponse,
  { ingress, ...facts }: PageFacts & { ingress: Pick<Ingress, "originOf" | "isExposed"> },
): string {
  const nonce = randomBytes(16).toString("base64")
  const policy = [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${facts.embedSites.length === 0 ? "'none'" : facts.embedSites.join(" ")}`,
  ].join("; ")
  for (const name of Object.keys(req.headers)) if (isInternal(name)) delete req.headers[name]
  req.headers["content-security-policy"] = policy
  req.headers["x-nonce"] = nonce
  req.headers["x-docket-origin"] = ingress.originOf(req)
  req.headers["x-docket-exposed"] = ingress.isExposed ? "1" : "0"
  // During in-app navigation the browser already has the data, so only a whole document contains it.
  req.headers["x-docket-document"] = req.headers.rsc === undefined ? "1" : "0"
  res.setHeader("content-security-policy", policy)
  res.setHeader("x-content-type-options", "nosniff")
  // With a stricter policy, a form would send no Origin, and on plain HTTP nothing else shows where it comes from.
  res.setHeader("referrer-policy", "same-origin")
  res.setHeader("cross-origin-opener-policy", "same-origin")
  if (facts.isShared && !facts.indexed) res.setHeader("x-robots-tag", "noindex, nofollow")
  return nonce
}

/** Removes the headers of proxies: pages get their address from the service, and Next would trust any sender. */
export function hideForwarding({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (/^(forwarded$|x-forwarded-|x-real-ip$)/.test(name)) delete headers[name]
}

/** Headers between Next's own servers. Clients must not send them. */
function isInternal(name: string): boolean {
  return /^x-(invoke|middleware|matched-path|nextjs-|now-)/.test(name)
}
