import { realpath, stat } from "node:fs/promises"
import { relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { openChecked } from "../../acts/tool/checked-file.ts"
import { errorText } from "../../ground/error/error-text.ts"
import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { readUpTo } from "../../ground/file/read-bounded-file.ts"
import { mediaTypeOf, plainMediaType } from "../../ground/message/file-content.ts"
import { type ModelInputs, takesURL } from "../../ground/message/model-inputs.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type { FilePart, PromptPart } from "../../ground/schema/index.ts"
import { commandParts, type NewPart } from "../loop/write-message.ts"

/** Attached files larger than this are named, not inlined: the agent reads what it needs. */
const maxInlineBytes = 50 * 1024
/** All attached files of a prompt together; what comes after is named as well. */
const maxInlineTotal = 1024 * 1024
/** Addresses of a prompt that are fetched. */
const maxAddresses = 20

interface AttachmentRights {
  /** Absolute; files of it are put in. */
  worktree: string
  /** Whether the agent may read a file (relative to the worktree, with `/`) without a question. */
  mayRead(name: string): boolean
}

export interface PromptPartsDeps extends AttachmentRights, AddressDeps {
  signal: AbortSignal
}

/**
 * Turns what the user sent into stored parts. A text file is put in as text that the model reads. One that cannot be
 * read, that lies outside the project, also behind a link, or that is not read without a question becomes a note: what
 * the agent then reads itself is judged as any other call. An address is fetched unless the model's provider does that.
 * The prompt itself never fails.
 */
export async function resolvePromptParts(parts: PromptPart[], deps: PromptPartsDeps): Promise<NewPart[]> {
  const room: Room = { bytes: maxInlineTotal, addresses: maxAddresses }
  const resolved = await Promise.all(parts.map((part) => resolvePart(part, deps, room)))
  return resolved.flat()
}

/** What may still be put in: bytes of files, and addresses to fetch. */
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
      if (!part.url.startsWith("file:")) return [file]
      return [file, { type: "text", synthetic: true, text: await fileText(part, deps, room) }]
    }
  }
}

async function fileText(
  { url, filename }: { url: string; filename?: string | undefined },
  rights: AttachmentRights,
  room: Room,
): Promise<string> {
  try {
    const path = resolve(fileURLToPath(url))
    const name = filename ?? path
    const attached = `The user attached ${name}`
    const worktree = await realpath(rights.worktree)
    const real = await realpath(path)
    if (!isWithin(worktree, real)) {
      const linked = isWithin(worktree, path) || isWithin(rights.worktree, path)
      const where = linked ? "a link that leads outside the project" : "outside the project"
      return `${attached}, which is ${where}; it was not sent. Read it if you need it.`
    }
    if (!rights.mayRead(relative(worktree, real).split(sep).join("/"))) {
      return `${attached}, which is not read without a question; it was not sent. Read it if you need it.`
    }
    if ((await stat(real)).isDirectory())
      return `The user attached the directory ${name}. List it if you need its entries.`
    await using file = await openChecked(real)
    const { size } = await file.stat()
    if (size > Math.min(maxInlineBytes, room.bytes))
      return `${attached} (${size} bytes). Read the parts of it that you need.`
    // Before the file is read: others are looked at meanwhile.
    room.bytes -= size
    const bytes = await readUpTo(file, maxInlineBytes)
    if (bytes.includes(0)) return `${attached}, which is not a text file.`
    return `${attached}:\n<file path=${JSON.stringify(name)}>\n${quoteFrames(bytes.toString("utf8"))}\n</file>`
  } catch (error) {
    return `The user attached ${filename ?? url}, which could not be read: ${errorText(error)}`
  }
}

type Attachment = Extract<PromptPart, { type: "file" }>
type NewFile = Omit<FilePart, "id" | "sessionID" | "messageID">

interface AddressDeps {
  /** What the model of the prompt reads. */
  inputs(): Promise<ModelInputs>
  fetch: GuardedFetch
}

/**
 * An attachment that is an address, as it is stored: the address itself where the model's provider fetches it, else
 * the content, fetched once and for all, or why it is not there. Never throws but for the abort.
 */
async function resolveAddress(deps: AddressDeps, part: Attachment, signal: AbortSignal): Promise<NewFile> {
  const { mime, url, filename } = part
  const file: NewFile = { type: "file", mime, url, ...(filename !== undefined && { filename }) }
  if (takesURL(await deps.inputs(), plainMediaType(mime), url)) return file
  try {
    const { bytes, mediaType } = await deps.fetch(url, signal)
    const type = mediaTypeOf(bytes, mediaType || mime)
    const data = `data:${type};base64,${bytes.toString("base64")}`
    return { ...file, mime: type, url: data, filename: filename ?? lastSegment(url) }
  } catch (error) {
    signal.throwIfAborted()
    return { ...file, problem: reasonOf(error) }
  }
}

/** A name for what has none. */
function lastSegment(url: string): string {
  const { hostname, pathname } = new URL(url)
  return pathname.split("/").findLast((segment) => segment !== "") ?? hostname
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || (error.cause instanceof Error ? error.cause.message : error.name)
}
