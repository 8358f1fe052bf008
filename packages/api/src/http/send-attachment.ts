import type { ServerResponse } from "node:http"
import type { KeptContent } from "@docket/core"

/** The only types that a browser may draw in its place: an SVG or a PDF can hold scripts. */
const drawn = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"])

/**
 * Sends a kept file. What is no picture is saved instead of opened, so that nothing in it runs as a page of this
 * service. Its address names its content, so it never changes.
 * @param lasts false for a link, which may end: then a browser asks again each time
 */
export function sendAttachment(res: ServerResponse, { row, bytes }: KeptContent, { lasts }: { lasts: boolean }): void {
  const isDrawn = drawn.has(row.mime)
  const tag = `"${row.hash}"`
  res.setHeader("etag", tag)
  res.setHeader("cache-control", lasts ? "private, max-age=31536000, immutable" : "private, no-cache")
  res.setHeader("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
  res.setHeader("cross-origin-resource-policy", "same-origin")
  res.setHeader("content-type", isDrawn || row.mime === "application/pdf" ? row.mime : "application/octet-stream")
  res.setHeader("content-disposition", `${isDrawn ? "inline" : "attachment"}; ${fileName(row.name)}`)
  if (res.req.headers["if-none-match"] === tag) return void res.writeHead(304).end()
  res.writeHead(200, { "content-length": bytes.byteLength })
  res.end(res.req.method === "HEAD" ? undefined : bytes)
}

/** RFC 6266: a plain name for old clients, and the whole one. */
function fileName(name: string): string {
  const whole = name.slice(-200).toWellFormed() || "file"
  const plain = whole.replace(/[^\w. -]/g, "_")
  const encoded = encodeURIComponent(whole).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return `filename="${plain}"; filename*=UTF-8''${encoded}`
}
