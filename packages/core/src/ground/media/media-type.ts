import { isUtf8 } from "node:buffer"

/** How files of these types begin. */
const beginnings: [start: number, bytes: string, mediaType: string][] = [
  [0, "\x89PNG", "image/png"],
  [0, "\xFF\xD8\xFF", "image/jpeg"],
  [0, "GIF8", "image/gif"],
  [8, "WEBP", "image/webp"],
  [0, "%PDF-", "application/pdf"],
]

/** Types that browsers draw from any address, and that their content always tells. */
export const pictureTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const

/** Bytes in which the element of an SVG begins, after comments and declarations. */
const svgHead = 4_096
/** What may stand before that element. The end is searched for: one pattern for all of it could be made to take hours. */
const beforeSvg = [
  { begins: /^<\?xml/i, ends: "?>" },
  { begins: /^<!--/, ends: "-->" },
  { begins: /^<!DOCTYPE\s+svg/i, ends: ">" },
]

function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, "").trimStart()
  while (true) {
    const found = beforeSvg.find(({ begins }) => begins.test(rest))
    if (found === undefined) return /^<svg[\s>]/i.test(rest)
    const end = rest.indexOf(found.ends, 4)
    if (end < 0) return false
    rest = rest.slice(end + found.ends.length).trimStart()
  }
}

/**
 * The media type of data: by its first bytes where they say it, since providers refuse a picture under another name;
 * else the one that it came with, in lower case and without parameters. A text under the name of something else is a
 * text: browsers call a TypeScript file a video.
 */
export function mediaTypeOf(data: Uint8Array, named: string): string {
  const known = knownType(data)
  if (known !== null) return known
  const type = plainMediaType(named)
  if (!isTextual(type) && isText(data)) return "text/plain"
  return isPicture(type) || type === "application/pdf" ? "application/octet-stream" : type
}

/** The type of a picture, a PDF or an SVG by its content; null for anything else. */
export function knownType(data: Uint8Array): string | null {
  const known = beginnings.find(([start, bytes]) => latin1(data.subarray(start, start + bytes.length)) === bytes)
  if (known !== undefined) return known[2]
  return isSvg(Buffer.from(data.subarray(0, svgHead)).toString("utf8")) ? "image/svg+xml" : null
}

/** UTF-8 with no other control characters than those for white space and colours. */
function isText(data: Uint8Array): boolean {
  const isBinary = (byte: number) => byte < 8 || (byte > 13 && byte < 27)
  return data.length > 0 && !data.some(isBinary) && isUtf8(data)
}

export function plainMediaType(named: string): string {
  const type = (named.split(";")[0] ?? "").trim().toLowerCase()
  return type === "image/jpg" ? "image/jpeg" : type
}

/** Whether it is a picture that may be shown and sent as one. An SVG is a text: it can hold scripts. */
export function isPicture(mediaType: string): boolean {
  return pictureTypes.some((type) => type === mediaType)
}

const textual = /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|sql|graphql|ndjson)$/

/** Whether models read data of this type as text. */
export function isTextual(mediaType: string): boolean {
  return textual.test(mediaType)
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
