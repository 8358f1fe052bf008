import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider"
import type { FilePart } from "../schema/index.ts"
import type { ToolAttachment } from "../schema/part.ts"
import { type ModelInputs, takesData, takesURL } from "./model-inputs.ts"
import { quoteFrames } from "./quote-frames.ts"
import { sendableText } from "./sendable-text.ts"

type Content = LanguageModelV4TextPart | LanguageModelV4FilePart

const dataUrl = /^data:([^,]*?)(;base64)?,(.*)$/s

/**
 * An attachment as the model gets it: the file, its text, its address where the provider fetches that itself, or a
 * sentence that says what is missing. Null for a file of the project: its text is a part of its own.
 */
export function fileContent(part: FilePart, inputs: ModelInputs): Content | null {
  if (part.url.startsWith("file:")) return null
  const name = nameOf(part)
  if (part.problem !== undefined) return note(`The user attached ${name}, which could not be read: ${part.problem}`)
  const read = readDataUrl(part.url)
  return read === null ? addressContent(part, inputs) : dataContent(part, read, { inputs, by: "The user attached" })
}

/** A file that a tool returned, as the model gets it: the file, its text, or a sentence that says what is missing. */
export function toolFileContent(file: ToolAttachment, inputs: ModelInputs): Content {
  const read = readDataUrl(file.url)
  if (read === null) return note(`A tool returned ${nameOf(file)}, which could not be read.`)
  return dataContent(file, read, { inputs, by: "A tool returned" })
}

function addressContent(part: FilePart, inputs: ModelInputs): Content {
  const mediaType = plainMediaType(part.mime)
  const name = nameOf(part)
  if (!URL.canParse(part.url)) return note(`The user attached ${name}, whose address is not a valid URL.`)
  if (!takesURL(inputs, mediaType, part.url)) {
    return note(`The user attached ${name} by its address, ${part.url}. You cannot see its content in this request.`)
  }
  const data = { type: "url" as const, url: new URL(part.url) }
  return { type: "file", mediaType, data, ...filename(part) }
}

function dataContent(
  part: ToolAttachment,
  read: { named: string; bytes: Buffer },
  { inputs, by }: { inputs: ModelInputs; by: string },
): Content {
  const { named, bytes } = read
  const mediaType = mediaTypeOf(bytes, part.mime || named)
  const name = nameOf(part)
  if (bytes.length === 0) return note(`${by} ${name}, which is empty.`)
  if (isTextual(mediaType)) {
    return note(`${by} ${name}:\n<file path=${JSON.stringify(name)}>\n${quoteFrames(bytes.toString("utf8"))}\n</file>`)
  }
  if (!takesData(inputs, mediaType)) {
    return note(`${by} ${name} (${mediaType || "of unknown type"}), which this model cannot read. Say so.`)
  }
  return { type: "file", mediaType, data: { type: "data", data: bytes.toString("base64") }, ...filename(part) }
}

/** Null when the URL is not a data URL. */
function readDataUrl(url: string): { named: string; bytes: Buffer } | null {
  if (!url.startsWith("data:")) return null
  const [, named = "", base64, data = ""] = dataUrl.exec(url) ?? []
  return { named, bytes: base64 === undefined ? percentDecoded(data) : Buffer.from(data, "base64") }
}

function percentDecoded(data: string): Buffer {
  try {
    return Buffer.from(decodeURIComponent(data))
  } catch {
    return Buffer.from(data)
  }
}

/** Characters of a file name that providers see. */
const maxNameLength = 200

function filename({ filename }: ToolAttachment): { filename?: string } {
  if (filename === undefined) return {}
  const plain = sendableText(filename)
    .replace(/[\p{Cc}\p{Cf}"\\/]/gu, "_")
    .slice(-maxNameLength)
  return { filename: plain.toWellFormed() }
}

function nameOf(part: ToolAttachment): string {
  const { filename: plain } = filename(part)
  if (plain !== undefined && plain !== "") return plain
  return part.url.startsWith("data:") ? "a file" : part.url
}

function note(text: string): LanguageModelV4TextPart {
  return { type: "text", text: sendableText(text) }
}

/** How files of these types begin. */
const beginnings: [start: number, bytes: string, mediaType: string][] = [
  [0, "\x89PNG", "image/png"],
  [0, "\xFF\xD8\xFF", "image/jpeg"],
  [0, "GIF8", "image/gif"],
  [8, "WEBP", "image/webp"],
  [0, "%PDF-", "application/pdf"],
]

const textual = /^text\/|[/+](?:json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|sql|graphql|ndjson)$/

/**
 * The media type of data: by its first bytes where they say it, since providers refuse a picture under another
 * name; else the one that it came with, in lower case and without parameters.
 */
export function mediaTypeOf(data: Uint8Array, named: string): string {
  const known = beginnings.find(([start, bytes]) => latin1(data.subarray(start, start + bytes.length)) === bytes)
  return known?.[2] ?? plainMediaType(named)
}

export function plainMediaType(named: string): string {
  const type = (named.split(";")[0] ?? "").trim().toLowerCase()
  return type === "image/jpg" ? "image/jpeg" : type
}

/** Whether models read data of this type as text. */
function isTextual(mediaType: string): boolean {
  return textual.test(mediaType)
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
