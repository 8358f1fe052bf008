import type { PromptPart } from "@docket/core/schema"
import type { AttachedFile } from "../undo/restored-prompt.ts"

/** A file that was pasted, dropped or chosen: it goes with the prompt, content and all. */
export interface Attachment {
  name: string
  mime: string
  bytes: number
  /** A `data:` URL. */
  url: string
}

/** Most bytes of all files of a prompt: with their letters for bytes and the text, it still fits what the server takes. */
export const maxAttachedBytes = 2 * 1_048_576

/** Words for files that are too large to go along, or null when they fit. */
export function attachmentProblem(held: readonly Pick<Attachment, "bytes">[], added: readonly File[]): string | null {
  const sum = [...held.map(({ bytes }) => bytes), ...added.map(({ size }) => size)].reduce((a, b) => a + b, 0)
  if (sum <= maxAttachedBytes) return null
  const size = (sum / 1_048_576).toFixed(1)
  return `These files have ${size} MB together and the most is 2 MB. Put them into the project and mention them with @.`
}

/** Reads a file. One that names no type is text when it looks so. */
export async function readAttachment(file: File): Promise<Attachment> {
  const content = new Uint8Array(await file.arrayBuffer())
  const mime = file.type || (content.includes(0) ? "application/octet-stream" : "text/plain")
  return { name: file.name || "pasted", mime, bytes: content.length, url: `data:${mime};base64,${base64(content)}` }
}

/** A file of an earlier prompt, to go along with the next. */
export function attachmentOf({ mime, url, filename }: AttachedFile): Attachment {
  const encoded = url.slice(url.indexOf(",") + 1)
  const bytes = url.startsWith("data:") ? Math.floor((encoded.length * 3) / 4) : 0
  return { name: filename ?? "attachment", mime, bytes, url }
}

/** A pasted text beyond either goes along as a file: nobody reads it in the field (UTF-16 units, lines). */
const longestPaste = { units: 10_000, lines: 200 }

/** A pasted text as a file, when it is long; null for one that belongs into the field. `held` gives it a name of its own. */
export function pastedFile(text: string, held: readonly Pick<Attachment, "name">[]): File | null {
  if (text.length <= longestPaste.units && text.split("\n").length <= longestPaste.lines) return null
  const names = new Set(held.map(({ name }) => name))
  let name = "pasted.txt"
  for (let number = 2; names.has(name); number++) name = `pasted-${number}.txt`
  return new File([text], name, { type: "text/plain" })
}

export function attachmentParts(attachments: readonly Attachment[]): PromptPart[] {
  return attachments.map(({ name, mime, url }) => ({ type: "file", mime, url, filename: name }))
}

/** Bytes that fit the arguments of one call. */
const stretch = 32_768

function base64(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += stretch) {
    binary += String.fromCharCode(...bytes.subarray(at, at + stretch))
  }
  return btoa(binary)
}
