import { realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { openChecked } from "../../acts/tool/checked-file.ts"
import { lineSource, readLineWindow } from "../../acts/tool/line-reader.ts"
import type { OpenFile } from "../../acts/tool/machine.ts"
import { errorText } from "../../ground/error/error-text.ts"
import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import { readUpTo } from "../../ground/file/read-bounded-file.ts"
import { toDataUrl } from "../../ground/media/data-url.ts"
import { MediaProblem, maxMediaBytes, megabytes } from "../../ground/media/inspect-media.ts"
import { isPicture, knownType, mediaTypeOf, plainMediaType } from "../../ground/media/media-type.ts"
import { type ModelInputs, takesURL } from "../../ground/message/model-inputs.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { FilePart, PromptPart } from "../../ground/schema/index.ts"
import { commandParts, type NewPart } from "../loop/write-message.ts"
import { mentionedLines } from "./mentioned-lines.ts"

/** Larger attached files are only named: the agent reads what it needs. */
const maxInlineBytes = 50 * 1024
/** Most bytes of all attached files of a prompt; further files are only named. */
const maxInlineTotal = 1024 * 1024
/** Most addresses of a prompt that are fetched. */
const maxAddresses = 20

interface AttachmentRights {
  /** Absolute path; the text of files inside it may be included. */
  worktree: string
  /** What stands for the directory of the session in addresses that were made before it had one. */
  named?: { name: string; directory: string } | undefined
  /** Whether the agent may read a file (relative to the worktree, with `/`) without asking. */
  mayRead(name: string): boolean
}

export interface PromptPartsDeps extends AttachmentRights, AddressDeps, Keeper {
  signal: AbortSignal
}

/**
 * Turns the parts of a prompt into stored parts. A text file is included as text. A file that cannot be read, is
 * outside the project (also through a link), or may not be read without asking becomes a note; when the agent reads it,
 * the usual rules apply. An address is fetched unless the model's provider fetches it. The prompt itself never fails.
 */
export async function resolvePromptParts(parts: PromptPart[], deps: PromptPartsDeps): Promise<NewPart[]> {
  const room: Room = { bytes: maxInlineTotal, addresses: maxAddresses }
  const resolved = await Promise.all(parts.map((part) => resolvePart(part, deps, room)))
  return resolved.flat()
}

/** What may still be included: bytes of files, and addresses to fetch. */
interface Room {
  bytes: number
  addresses: number
}

async function resolvePart(part: PromptPart, deps: PromptPartsDeps, room: Room): Promise<NewPart[]> {
  switch (part.type) {
    case "text":
      return [
        {
          type: "text",
          text: part.text,
          ...(part.synthetic && { synthetic: true }),
          ...(part.addedBy && { addedBy: part.addedBy }),
          ...(part.notice && { notice: part.notice }),
          ...(part.command !== undefined && { command: part.command }),
        },
      ]
    case "agent":
      return [{ type: "agent", name: part.name }]
    case "subtask":
      return [
        {
          type: "subtask",
          prompt: part.prompt,
          description: part.description,
          agent: part.agent,
          ...(part.model && { model: part.model }),
          ...(part.command !== undefined && { command: part.command }),
        },
      ]
    case "command":
      return commandParts(part)
    case "file": {
      const file: NewPart = {
        type: "file",
        mime: part.mime,
        url: part.url,
        ...(part.filename !== undefined && { filename: part.filename }),
      }
      if (/^https?:/i.test(part.url)) {
        if (room.addresses-- > 0) return [await resolveAddress(deps, part, deps.signal)]
        const text = `The user attached ${part.url}, which was not fetched: only the first ${maxAddresses} of a prompt are.`
        return [{ type: "text", synthetic: true, text }]
      }
      if (!part.url.startsWith("file:")) return [await kept(deps, file)]
      const found = await readMentioned(part, deps, room)
      if (typeof found !== "string") return [await kept(deps, found)]
      return [file, { type: "text", synthetic: true, text: found }]
    }
  }
}

function pathOf(url: string, { named }: Pick<AttachmentRights, "named">): string {
  const path = fileURLToPath(url)
  const prefix = named && `/${named.name}/`
  return prefix && path.startsWith(prefix) ? resolve(named.directory, path.slice(prefix.length)) : resolve(path)
}

/** The content of a mentioned file as text for the model, or a picture or PDF as a file of the prompt. */
async function readMentioned(
  { url, filename }: { url: string; filename?: string | undefined },
  rights: AttachmentRights & { signal: AbortSignal },
  room: Room,
): Promise<string | NewFile> {
  try {
    const path = pathOf(url, rights)
    const name = filename ?? path
    const attached = `The user attached ${name}`
    const worktree = await realpath(rights.worktree)
    const real = await realpath(path)
    if (!isWithin(worktree, real)) {
      const linked = isWithin(worktree, path) || isWithin(rights.worktree, path)
      const where = linked ? "a link that leads outside the project" : "outside the project"
      return `${attached}, which is ${where}; it was not sent. Read it if you need it.`
    }
    if (!rights.mayRead(posixRelative(worktree, real))) {
      return `${attached}, which is not read without a question; it was not sent. Read it if you need it.`
    }
    if ((await stat(real)).isDirectory())
      return `The user attached the directory ${name}. List it if you need its entries.`
    await using file = await openChecked(real)
    const range = mentionedLines(url)
    if (range) {
      const maxBytes = Math.min(maxInlineBytes, room.bytes)
      if (maxBytes <= 0) return `${attached}, lines from ${range.start}. Read the parts of it that you need.`
      // Reserved before the file is read, because other files are processed in parallel.
      room.bytes -= maxBytes
      const limits = { ...range, maxLineLength: maxBytes, maxBytes }
      const { lines, totalLines } = await readLineWindow(await lineSource(file), limits, rights.signal)
      const text = lines.join("\n")
      room.bytes += maxBytes - Math.min(maxBytes, Buffer.byteLength(text))
      if (text.includes("\0")) return `${attached}, which is not a text file.`
      if (lines.length === 0) {
        const length = totalLines === null ? "" : `; it has ${totalLines} lines`
        return `${attached}, which has no line ${range.start}${length}.`
      }
      const shown = `lines ${range.start} to ${range.start + lines.length - 1}`
      return `${attached}, ${shown}:\n<file path=${JSON.stringify(name)}>\n${quoteFrames(text)}\n</file>`
    }
    const { size } = await file.stat()
    const type = knownType(await beginningOf(file))
    if (type !== null && (isPicture(type) || type === "application/pdf")) {
      if (size > maxMediaBytes) return `${attached}, which has ${megabytes(size)}; the most is 20 MB.`
      const bytes = await readUpTo(file, maxMediaBytes)
      return { type: "file", mime: type, url: toDataUrl(type, bytes), filename: name }
    }
    if (size > Math.min(maxInlineBytes, room.bytes))
      return `${attached} (${size} bytes). Read the parts of it that you need.`
    // Reserved before the file is read, because other files are processed in parallel.
    room.bytes -= size
    const bytes = await readUpTo(file, maxInlineBytes)
    if (bytes.includes(0)) return `${attached}, which is not a text file.`
    return `${attached}:\n<file path=${JSON.stringify(name)}>\n${quoteFrames(bytes.toString("utf8"))}\n</file>`
  } catch (error) {
    return `The user attached ${filename ?? url}, which could not be read: ${errorText(error)}`
  }
}

const headBytes = 4_096

async function beginningOf(file: Pick<OpenFile, "read">): Promise<Buffer> {
  const head = Buffer.alloc(headBytes)
  const { bytesRead } = await file.read(head, 0, headBytes, 0)
  return head.subarray(0, bytesRead)
}

/** The file with its content kept, or with the reason why it is not. */
async function kept({ keep, signal }: Pick<PromptPartsDeps, "keep" | "signal">, file: NewFile): Promise<NewFile> {
  try {
    return await keep(file)
  } catch (error) {
    signal.throwIfAborted()
    const { size: _size, ...rest } = file
    const words = error instanceof MediaProblem ? `it ${error.message}` : reasonOf(error)
    // Nobody can read it, and a row is no place for it.
    return { ...rest, url: file.url.startsWith("data:") ? "data:," : file.url, problem: words }
  }
}

type Attachment = Extract<PromptPart, { type: "file" }>
type NewFile = Omit<FilePart, "id" | "sessionID" | "messageID">

interface Keeper {
  /** Keeps the content of a file. @throws MediaProblem */
  keep(file: NewFile): Promise<NewFile>
}

interface AddressDeps extends Keeper {
  /** Which inputs the model of the prompt accepts. */
  inputs(): Promise<ModelInputs>
  fetch: GuardedFetch
}

/**
 * An attached address as stored: the address itself when the model's provider fetches it; otherwise its content,
 * fetched once, or a note with the reason why it is missing. Throws only when aborted.
 */
async function resolveAddress(deps: AddressDeps, part: Attachment, signal: AbortSignal): Promise<NewFile> {
  const { mime, url, filename } = part
  const file: NewFile = { type: "file", mime, url, ...(filename !== undefined && { filename }) }
  if (takesURL(await deps.inputs(), plainMediaType(mime), url)) return file
  try {
    const { bytes, mediaType } = await deps.fetch(url, signal)
    const type = mediaTypeOf(bytes, mediaType || mime)
    const data = toDataUrl(type, bytes)
    return await kept({ ...deps, signal }, { ...file, mime: type, url: data, filename: filename ?? lastSegment(url) })
  } catch (error) {
    signal.throwIfAborted()
    return { ...file, problem: reasonOf(error) }
  }
}

/** A file name for an address without one. */
function lastSegment(url: string): string {
  const { hostname, pathname } = new URL(url)
  return pathname.split("/").findLast((segment) => segment !== "") ?? hostname
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || (error.cause instanceof Error ? error.cause.message : error.name)
}
