import { randomBytes } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

/**
 * Sets the security headers of a page and answers with the nonce of its scripts. Next takes the nonce
 * from the policy in the request. Styles may be inline: the component kit writes them.
 */
export function setPageHeaders(req: IncomingMessage, res: ServerResponse): string {
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
    "frame-ancestors 'none'",
  ].join("; ")
  for (const name of Object.keys(req.headers)) if (isInternal(name)) delete req.headers[name]
  req.headers["content-security-policy"] = policy
  req.headers["x-nonce"] = nonce
  res.setHeader("content-security-policy", policy)
  res.setHeader("x-content-type-options", "nosniff")
  res.setHeader("referrer-policy", req.url?.startsWith("/share/") ? "no-referrer" : "same-origin")
  res.setHeader("cross-origin-opener-policy", "same-origin")
  if (req.url?.startsWith("/share/")) res.setHeader("x-robots-tag", "noindex, nofollow")
  return nonce
}

/** Headers by which Next's own servers talk to each other. Nobody outside may send them. */
function isInternal(name: string): boolean {
  return /^x-(invoke|middleware|matched-path|nextjs-|now-)/.test(name)
}
