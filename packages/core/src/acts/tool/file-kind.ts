import path from "node:path"

/** What a file's beginning says about it. */
export type FileKind = "text" | "image" | "pdf" | "binary"

const imageExtensions = new Set([
  ".png",
  ".jpg",
  ".jpeg",
  ".gif",
  ".webp",
  ".bmp",
  ".ico",
  ".tif",
  ".tiff",
  ".avif",
  ".heic",
])
/** At most this share of control characters still counts as text (the rule of thumb of file(1) and less(1)). */
const MAX_CONTROL_SHARE = 0.3

/** Judges by the extension of media files, else by the first bytes (8 KiB are plenty). */
export function fileKind(name: string, head: Uint8Array): FileKind {
  const extension = path.extname(name).toLowerCase()
  if (imageExtensions.has(extension)) return "image"
  if (extension === ".pdf" || startsWith(head, "%PDF-")) return "pdf"
  if (startsWith(head, "\x89PNG") || startsWith(head, "\xff\xd8\xff") || startsWith(head, "GIF8")) return "image"
  let control = 0
  for (const byte of head) {
    if (byte === 0) return "binary"
    if (byte < 8 || (byte > 13 && byte < 32 && byte !== 27)) control++
  }
  return head.length > 0 && control / head.length > MAX_CONTROL_SHARE ? "binary" : "text"
}

function startsWith(head: Uint8Array, latin1: string): boolean {
  return [...latin1].every((character, index) => head[index] === character.charCodeAt(0))
}
