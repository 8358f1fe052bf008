import { createYield } from "../../ground/concurrency/yield-to-event-loop.ts"
import { readDataUrl } from "../../ground/media/data-url.ts"
import { type InspectedMedia, inspectMedia, MediaProblem } from "../../ground/media/inspect-media.ts"
import { isTextual } from "../../ground/media/media-type.ts"
import { filesOf, hashesOf, type NamedFile, withFiles } from "../../ground/message/part-files.ts"
import {
  attachedHash,
  attachmentAddress,
  type FileAttachment,
  type MessageWithParts,
  type Part,
  type SessionFile,
} from "../../ground/schema/index.ts"
import type { KeptContent } from "../attachment/attachment-service.ts"
import { contentHash } from "../attachment/content-files.ts"
import { type ImportedContent, inRowBytes } from "../attachment/create-attachments.ts"
import { badFile } from "./bad-file.ts"

/** Bytes of all contents in a file; base64 makes them a third larger, and a file may have 64 MiB. */
export const maxContentBytes = 32 * 1024 * 1024

/** Contents of a file that are taken, and pixels of its pictures: each is decoded. */
const most = { contents: 5_000, pixels: 4_000_000_000 }

/** A file of a tree whose parts name contents, and the contents. */
interface FileWithContents {
  file: SessionFile
  contents: ImportedContent[]
}

interface Content {
  bytes: Buffer
  name: string
  media: InspectedMedia
}

/**
 * Takes the contents out of a file: those that it lists, and those in addresses of its parts. Parts tell what the
 * contents say of themselves. A content that no provider takes is left out, so that the session can go on; so are those
 * over the limits.
 * @throws DocketError invalid_input for a content that is not what its hash says
 */
export async function takeContents(file: SessionFile, clock: () => number): Promise<FileWithContents> {
  const known = new Map<string, Content>()
  const yieldToEventLoop = createYield()
  let { pixels } = most
  const take = async (bytes: Buffer, { mime, name }: { mime: string; name: string }) => {
    const hash = contentHash(bytes)
    await yieldToEventLoop()
    if (known.has(hash) || known.size === most.contents || pixels <= 0) return hash
    const media = await inspected(bytes, mime, clock)
    const { width = 0, height = 0 } = media?.facts ?? {}
    pixels -= width * height
    if (media !== null) known.set(hash, { bytes, name, media })
    return hash
  }
  for (const { hash, mime, name, data } of file.attachments ?? []) {
    const bytes = Buffer.from(data, "base64")
    if (contentHash(bytes) !== hash) throw badFile(`the content of ${name || hash} is not what its hash says.`)
    await take(bytes, { mime, name })
  }
  const addresses = new Map<string, string>()
  for (const { url, mime, filename = "" } of allParts(file).flatMap(filesOf)) {
    const read = addresses.has(url) ? null : readDataUrl(url)
    if (read === null || read.bytes.length === 0) continue
    const isShortText = isTextual(mime || read.named) && read.bytes.length <= inRowBytes
    if (!isShortText) addresses.set(url, await take(read.bytes, { mime: mime || read.named, name: filename }))
  }
  const replaced = (named: NamedFile) => withKnown(named, known, addresses)
  const sessions = file.sessions.map((session) => ({
    ...session,
    messages: session.messages.map(
      ({ info, parts }): MessageWithParts => ({ info, parts: parts.map((part) => withFiles(part, replaced)) }),
    ),
  }))
  const { attachments: _, ...rest } = file
  const taken = { ...rest, sessions }
  const sessionsOf = sessionsByHash(taken)
  const contents = [...known].flatMap(([hash, content]) => {
    const sessionIDs = sessionsOf.get(hash)
    return sessionIDs === undefined ? [] : [{ ...content, sessionIDs: [...sessionIDs] }]
  })
  return { file: taken, contents }
}

async function inspected(bytes: Buffer, mime: string, clock: () => number): Promise<InspectedMedia | null> {
  try {
    return await inspectMedia(bytes, mime, { clock })
  } catch (error) {
    if (error instanceof MediaProblem) return null
    throw error
  }
}

/** What a file says of a content counts for nothing: its facts are read from the content. */
function withKnown(
  named: NamedFile,
  known: ReadonlyMap<string, Content>,
  addresses: ReadonlyMap<string, string>,
): NamedFile {
  const hash = attachedHash(named.url) ?? addresses.get(named.url)
  if (hash === undefined) return named
  const { size: _size, width: _width, height: _height, pages: _pages, ...rest } = named
  const media = known.get(hash)?.media
  return { ...rest, url: attachmentAddress(hash), ...(media && { mime: media.mime, ...media.facts }) }
}

/** Which sessions name which contents. */
function sessionsByHash(file: SessionFile): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { session, messages } of file.sessions) {
    for (const hash of messages.flatMap(({ parts }) => parts.flatMap(hashesOf))) {
      const sessions = found.get(hash) ?? new Set()
      found.set(hash, sessions.add(session.id))
    }
  }
  return found
}

function allParts({ sessions }: SessionFile): Part[] {
  return sessions.flatMap(({ messages }) => messages.flatMap(({ parts }) => parts))
}

/** The contents that parts name, up to `maxContentBytes`; one that is missing is left out. */
export async function* readContents(
  hashes: Iterable<string>,
  read: (hash: string) => Promise<KeptContent | null>,
): AsyncGenerator<FileAttachment> {
  let left = maxContentBytes
  for (const hash of new Set(hashes)) {
    const found = await read(hash)
    if (found === null || found.bytes.length > left) continue
    left -= found.bytes.length
    const { mime, name } = found.row
    yield { hash, mime, name, data: found.bytes.toString("base64") }
  }
}
