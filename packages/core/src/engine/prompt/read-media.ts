import { createHash } from "node:crypto"
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider"
import { canDecode, shrinkPicture } from "../../ground/media/decode-picture.ts"
import { maxPixels, megabytes } from "../../ground/media/inspect-media.ts"
import { isPicture } from "../../ground/media/media-type.ts"
import { readPictureHead } from "../../ground/media/picture-head.ts"
import { type MediaLimits, mediaLimits } from "../../ground/media/provider-limits.ts"
import { fileLabel } from "../../ground/message/file-content.ts"
import { readKeptFile } from "../../ground/message/kept-file.ts"
import { sendableText } from "../../ground/message/sendable-text.ts"

/** Reads a kept content of the tree; null when it is missing or damaged. */
export type ReadContent = (hash: string) => Promise<Buffer | null>

type Part = LanguageModelV4TextPart | LanguageModelV4FilePart

/**
 * The prompt with the contents of its files, within what the provider takes in one request: larger pictures are made
 * smaller, and what does not fit is named instead. The newest files come first. Messages without files stay the same
 * objects.
 * @param npm the AI SDK package of the provider
 */
export async function readMedia(
  prompt: LanguageModelV4Prompt,
  npm: string,
  readContent: ReadContent,
): Promise<LanguageModelV4Prompt> {
  if (!prompt.some(hasFile)) return prompt
  const room = { limits: mediaLimits(npm), pictures: 0, bytes: 0 }
  const read = prompt.slice()
  for (let at = prompt.length - 1; at >= 0; at--) {
    const message = prompt[at]
    if (message !== undefined && hasFile(message)) read[at] = await readFiles(message, room, readContent)
  }
  return read
}

function hasFile(message: LanguageModelV4Message): message is Speaking {
  const speaks = message.role === "user" || message.role === "assistant"
  return speaks && message.content.some(({ type }) => type === "file")
}

interface Room {
  limits: MediaLimits
  pictures: number
  bytes: number
}

type Speaking = Extract<LanguageModelV4Message, { role: "user" | "assistant" }>

async function readFiles(message: Speaking, room: Room, readContent: ReadContent): Promise<Speaking> {
  const content: Speaking["content"][number][] = []
  for (const part of message.content.toReversed())
    content.unshift(part.type === "file" ? await readFile(part, room, readContent) : part)
  // Only files are replaced, by files and texts, which both kinds of message have.
  return { ...message, content } as Speaking
}

async function readFile(part: LanguageModelV4FilePart, room: Room, readContent: ReadContent): Promise<Part> {
  const kept = readKeptFile(part)
  const bytes = kept === null ? inlineBytes(part) : await readContent(kept.hash)
  // The provider fetches it itself.
  if (kept === null && bytes === null) return part
  const { filename = "a file", mediaType } = part
  const instead = (size: number | undefined, why: string) => note(fileLabel(mediaType, filename, size), why)
  if (bytes === null) return instead(kept?.facts.size, "It is not there any more.")
  const fit = await fitFile({ mediaType, bytes, pages: kept?.facts.pages }, room)
  if ("problem" in fit) return instead(bytes.length, fit.problem)
  room.bytes += fit.bytes.length
  if (isPicture(mediaType)) room.pictures += 1
  return { ...part, mediaType: fit.mediaType, data: { type: "data", data: fit.bytes.toString("base64") } }
}

function inlineBytes({ data }: LanguageModelV4FilePart): Buffer | null {
  if (data.type !== "data") return null
  return typeof data.data === "string" ? Buffer.from(data.data, "base64") : Buffer.from(data.data)
}

interface File {
  mediaType: string
  bytes: Buffer
  pages?: number | undefined
}

/** The file as it is sent, or why it is not, in words for the model. */
async function fitFile(file: File, room: Room): Promise<{ mediaType: string; bytes: Buffer } | { problem: string }> {
  const { limits } = room
  const isOfPicture = isPicture(file.mediaType)
  if (isOfPicture && room.pictures >= limits.pictures)
    return { problem: `It was left out: this provider takes ${limits.pictures} pictures, and newer ones were sent.` }
  if (file.pages !== undefined && file.pages > limits.pdfPages)
    return {
      problem: `It has ${file.pages} pages, and this provider takes ${limits.pdfPages}. Read a part of its text.`,
    }
  const fit = isOfPicture ? await fitPicture(file, limits) : file
  if ("problem" in fit || room.bytes + fit.bytes.length <= limits.bytes) return fit
  return { problem: `It was left out: this provider takes files of ${megabytes(limits.bytes)} together.` }
}

/** Pictures that were made smaller, by content and limits: a conversation sends them again at each step. */
const smaller = new Map<string, { mediaType: string; bytes: Buffer }>()
/** Bytes that are kept of them. */
const keptBytes = 16 * 1024 * 1024

async function fitPicture(file: File, { pictureBytes, edge }: MediaLimits) {
  const head = readPictureHead(file.bytes)
  const isWithin = head === null || Math.max(head.width, head.height) <= edge
  if (isWithin && file.bytes.length <= pictureBytes) return file
  const key = `${createHash("sha256").update(file.bytes).digest("hex")} ${edge} ${pictureBytes}`
  const known = smaller.get(key)
  if (known !== undefined) return known
  const made = await shrinkPicture(file.bytes, { edge, maxBytes: pictureBytes, maxPixels: maxPixels.plain })
  if (made === null) {
    const size = `${head === null ? "" : `${head.width} × ${head.height} pixels, `}${megabytes(file.bytes.length)}`
    const why = (await canDecode())
      ? "it could not be made smaller"
      : "the package sharp, which makes it smaller, is not installed"
    const problem = `It was not sent (${size}): this provider takes ${edge} pixels and ${megabytes(pictureBytes)}, and ${why}.`
    return { problem }
  }
  const fit = { mediaType: made.mime, bytes: made.bytes }
  smaller.set(key, fit)
  let sum = smaller.values().reduce((all, { bytes }) => all + bytes.length, 0)
  for (const [oldest, { bytes }] of smaller) {
    if (sum <= keptBytes) break
    smaller.delete(oldest)
    sum -= bytes.length
  }
  return fit
}

function note(label: string, why: string): LanguageModelV4TextPart {
  return { type: "text", text: sendableText(`${label} ${why}`) }
}
