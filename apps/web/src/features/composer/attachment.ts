import type { PromptPart } from "@docket/core/schema"
import type { AttachedFile } from "../undo/restored-prompt.ts"

/** A file that was pasted, dropped or chosen. Its content is sent with the prompt. */
export interface Attachment {
  name: string
  mime: string
  bytes: number
  /** A `data:` URL. */
  url: string
}

/**
 * Maximum total size of a prompt's files, in bytes. Base64 encoded and with the text, they still fit the server's
 * limit.
 */
export const maxAttachedBytes = 2 * 1_048_576

/** The error for files that are too large; null when they fit. */
export function attachmentProblem(
  existing: readonly Pick<Attachment, "bytes">[],
  added: readonly File[],
): string | null {
  const sum = [...existing.map(({ bytes }) => bytes), ...added.map(({ size }) => size)].reduce((a, b) => a + b, 0)
  if (sum <= maxAttachedBytes) return null
  const size = (sum / 1_048_576).toFixed(1)
  return `These files have ${size} MB together and the most is 2 MB. Put them into the project and mention them with @.`
}

/** What browsers call files that they do not know, or know wrongly: a TypeScript file is a video to them. */
const unsure = /^$|^video\/|^audio\/|^application\/octet-stream$/

/** Reads a file. One whose type says little counts as text unless it contains a zero byte. */
export async function readAttachment(file: File): Promise<Attachment> {
  const content = new Uint8Array(await file.arrayBuffer())
  const isText = unsure.test(file.type) && !content.includes(0)
  const mime = isText ? "text/plain" : file.type || "application/octet-stream"
  return { name: file.name || "pasted", mime, bytes: content.length, url: `data:${mime};base64,${base64(content)}` }
}

/** The added files under names that no other file has: browsers call every pasted picture `image.png`. */
export function withOwnNames(
  existing: readonly Pick<Attachment, "name">[],
  added: readonly Attachment[],
): Attachment[] {
  const names = new Set(existing.map(({ name }) => name))
  return added.map((file) => {
    let name = file.name
    for (let number = 2; names.has(name); number++) name = file.name.replace(/(\.[^.]*)?$/, `-${number}$1`)
    names.add(name)
    return { ...file, name }
  })
}

/** An attachment made from a file of an earlier prompt. */
export function attachmentOf({ mime, url, filename }: AttachedFile): Attachment {
  const encoded = url.slice(url.indexOf(",") + 1)
  const bytes = url.startsWith("data:") ? Math.floor((encoded.length * 3) / 4) : 0
  return { name: filename ?? "attachment", mime, bytes, url }
}

/** A longer pasted text becomes a file, because it is hard to read in the field (UTF-16 units, lines). */
const longestPaste = { units: 10_000, lines: 200 }

/**
 * A long pasted text as a file; null for a text that belongs into the field. Its name differs from those of the
 * existing attachments.
 */
export function pastedFile(text: string, existing: readonly Pick<Attachment, "name">[]): File | null {
  if (text.length <= longestPaste.units && text.split("\n").length <= longestPaste.lines) return null
  const names = new Set(existing.map(({ name }) => name))
  let name = "pasted.txt"
  for (let number = 2; names.has(name); number++) name = `pasted-${number}.txt`
  return new File([text], name, { type: "text/plain" })
}

export function attachmentParts(attachments: readonly Attachment[]): PromptPart[] {
  return attachments.map(({ name, mime, url }) => ({ type: "file", mime, url, filename: name }))
}

/** Number of bytes that fit into the arguments of one call. */
const chunkBytes = 32_768

function base64(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    binary += String.fromCharCode(...bytes.subarray(at, at + chunkBytes))
  }
  return btoa(binary)
}
