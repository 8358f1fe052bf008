import type { LanguageModelV4FilePart, LanguageModelV4TextPart } from "@ai-sdk/provider"
import { readDataUrl } from "../media/data-url.ts"
import { isPicture, isTextual, mediaTypeOf, plainMediaType } from "../media/media-type.ts"
import { attachedHash, type FilePart } from "../schema/index.ts"
import type { ToolAttachment } from "../schema/part.ts"
import { keptFile } from "./kept-file.ts"
import { type ModelInputs, takesData, takesURL } from "./model-inputs.ts"
import { quoteFrames } from "./quote-frames.ts"
import { sendableText } from "./sendable-text.ts"

/**
 * A file that a model made, as it goes back: to Google's models the file, if they made it, and to all others its name.
 * Null for one that is not there.
 */
export function madeFileContent(
  part: FilePart,
  { inputs, own }: { inputs: ModelInputs; own: boolean },
): LanguageModelV4TextPart | LanguageModelV4FilePart | null {
  const hash = attachedHash(part.url)
  if (hash === null) return null
  const mediaType = plainMediaType(part.mime)
  const { size, width, height } = part
  if (own && inputs.npm === "@ai-sdk/google" && takesData(inputs, mediaType))
    return keptFile({ hash, facts: { size, width, height } }, { mediaType, ...filename(part) })
  return note(`${fileLabel(mediaType, nameOf(part), size)} (I made it; the user sees it.)`)
}

export interface FileTarget {
  inputs: ModelInputs
  /** The kept texts of the transcript, by hash. */
  texts: ReadonlyMap<string, string>
}

type Content = LanguageModelV4TextPart | LanguageModelV4FilePart

/**
 * An attachment as the model gets it: the file, its text, its address where the provider fetches that itself, or a
 * sentence that says what is missing. Null for a file of the project: its text is a part of its own.
 */
export function fileContent(part: FilePart, target: FileTarget): Content | null {
  if (part.url.startsWith("file:")) return null
  const name = nameOf(part)
  if (part.problem !== undefined) return note(`The user attached ${name}, which could not be read: ${part.problem}`)
  const how = { ...target, by: "The user attached" }
  return keptContent(part, how) ?? dataContent(part, how) ?? addressContent(part, target.inputs)
}

/** A file that a tool returned, as the model gets it: the file, its text, or a sentence that says what is missing. */
export function toolFileContent(file: ToolAttachment, target: FileTarget): Content {
  const how = { ...target, by: "A tool returned" }
  const unread = () => note(`A tool returned ${nameOf(file)}, which could not be read.`)
  return keptContent(file, how) ?? dataContent(file, how) ?? unread()
}

interface How extends FileTarget {
  /** Who the file came from, as a sentence begins. */
  by: string
}

/** Null for a file that is not kept by its content. */
function keptContent(file: ToolAttachment, { inputs, texts, by }: How): Content | null {
  const hash = attachedHash(file.url)
  if (hash === null) return null
  const mediaType = plainMediaType(file.mime)
  const { size, width, height, pages } = file
  if (isTextual(mediaType)) {
    const text = texts.get(hash)
    const label = fileLabel(mediaType, nameOf(file), size)
    return text === undefined ? note(`${by} ${label}, which is not there any more.`) : attachedText(file, text, by)
  }
  if (!takesData(inputs, mediaType)) return unseen(file, { by, mediaType, size })
  return keptFile({ hash, facts: { size, width, height, pages } }, { mediaType, ...filename(file) })
}

/** The text of an attached file, told apart from what was said. */
function attachedText(file: ToolAttachment, text: string, by: string): Content {
  const name = nameOf(file)
  return note(`${by} ${name}:\n<file path=${JSON.stringify(name)}>\n${quoteFrames(text)}\n</file>`)
}

/** What a model reads in place of a file: `[picture: shot.png, 12 KB]`. */
export function fileLabel(mediaType: string, name: string, size: number | undefined): string {
  const kind = isPicture(mediaType) ? "picture" : mediaType === "application/pdf" ? "PDF" : "file"
  const facts = [name, kind === "file" && mediaType, size !== undefined && sizeLabel(size)]
  return `[${kind}: ${facts.filter(Boolean).join(", ")}]`
}

function sizeLabel(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

function unseen(
  file: ToolAttachment,
  { by, mediaType, size }: { by: string; mediaType: string; size: number | undefined },
): Content {
  const label = fileLabel(mediaType, nameOf(file), size)
  return note(`${by} ${label}, which this model cannot read. Say so.`)
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

/** Null when the address is no `data:` address. */
function dataContent(part: ToolAttachment, { inputs, by }: How): Content | null {
  const read = readDataUrl(part.url)
  if (read === null) return null
  const { named, bytes } = read
  const mediaType = mediaTypeOf(bytes, part.mime || named)
  if (bytes.length === 0) return note(`${by} ${nameOf(part)}, which is empty.`)
  if (isTextual(mediaType)) return attachedText(part, bytes.toString("utf8"), by)
  if (!takesData(inputs, mediaType)) return unseen(part, { by, mediaType, size: bytes.length })
  return { type: "file", mediaType, data: { type: "data", data: bytes.toString("base64") }, ...filename(part) }
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
  return /^(?:data|attachment):/.test(part.url) ? "a file" : part.url
}

function note(text: string): LanguageModelV4TextPart {
  return { type: "text", text: sendableText(text) }
}
