import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Ingress, ShareReader } from "@docket/api"

/** What the headers of a page depend on. */
export interface PageFacts {
  /** Whether its address opens something by itself, as those of links do. */
  isShared: boolean
  indexed: boolean
  /** Origins whose pages may show it in a frame. */
  embedSites: readonly string[]
}

const ownPage: PageFacts = { isShared: false, indexed: false, embedSites: [] }
const deadPage: PageFacts = { ...ownPage, isShared: true }

/** What the share behind a page says of it; a dead link is like one that says nothing. */
export async function pageFacts(shares: ShareReader, { url = "", headers }: IncomingMessage): Promise<PageFacts> {
  const [, kind, secret] = /^\/(share|embed)\/([^/?]+)/.exec(url) ?? []
  if (kind === undefined || secret === undefined) return /^\/(share|embed)\//.test(url) ? deadPage : ownPage
  const facts = await shares.facts({ secret, cookie: headers.cookie })
  if (facts === null) return deadPage
  return { isShared: true, indexed: facts.indexed, embedSites: kind === "embed" ? facts.embedSites : [] }
}

/**
 * Sets the security headers of a page and answers with the nonce of its scripts. Next takes the nonce
 * from the policy in the request. Styles may be inline: the component kit writes them.
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
  // Going from page to page, a browser has the app and what it follows: only a whole document brings data along.
  req.headers["x-docket-document"] = req.headers.rsc === undefined ? "1" : "0"
  res.setHeader("content-security-policy", policy)
  res.setHeader("x-content-type-options", "nosniff")
  // With less, a form sends no Origin, and on plain HTTP nothing else says where it comes from.
  res.setHeader("referrer-policy", "same-origin")
  res.setHeader("cross-origin-opener-policy", "same-origin")
  if (facts.isShared && !facts.indexed) res.setHeader("x-robots-tag", "noindex, nofollow")
  return nonce
}

/** Takes away what proxies say: pages are told by the service where they are, and Next would believe anyone. */
export function hideForwarding({ headers }: IncomingMessage): void {
  for (const name of Object.keys(headers)) if (/^(forwarded$|x-forwarded-|x-real-ip$)/.test(name)) delete headers[name]
}

/** Headers by which Next's own servers talk to each other. Nobody outside may send them. */
function isInternal(name: string): boolean {
  return /^x-(invoke|middleware|matched-path|nextjs-|now-)/.test(name)
}
