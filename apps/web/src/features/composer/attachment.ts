import type { PromptPart } from "@docket/core/schema"

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
