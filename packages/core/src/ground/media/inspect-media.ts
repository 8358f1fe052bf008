import type { FileFacts } from "../schema/index.ts"
import { decodingProblem, isTurned } from "./decode-picture.ts"
import { isPicture, mediaTypeOf } from "./media-type.ts"
import { readPdfHead } from "./pdf-head.ts"
import { readPictureHead } from "./picture-head.ts"

/** Bytes of one file that is kept. */
export const maxMediaBytes = 20 * 1024 * 1024
/** Pixels of one picture. One that is held whole while it is decoded takes many times the memory. */
export const maxPixels = { plain: 64_000_000, heldWhole: 16_000_000 }
/** Pixels of one side; no provider takes more. */
const maxSide = 30_000
/** Pages of a PDF; no provider takes more. */
export const maxPages = 1_000

/** A content that was looked at: its type is that of its bytes, whatever it was called. */
export interface InspectedMedia {
  mime: string
  facts: FileFacts
}

/** Why a content is not taken, in words that follow its name. */
export class MediaProblem extends Error {
  override readonly name = "MediaProblem"
}

export interface InspectDeps {
  clock: () => number
  signal?: AbortSignal
}

/**
 * Finds out what a content is, and refuses what no provider would take: after such a file every request of its session
 * would fail.
 * @param named the media type that it came with
 * @throws MediaProblem
 */
export async function inspectMedia(bytes: Buffer, named: string, deps: InspectDeps): Promise<InspectedMedia> {
  if (bytes.length > maxMediaBytes) throw new MediaProblem(`has ${megabytes(bytes.length)}, and the most is 20 MB.`)
  const mime = mediaTypeOf(bytes, named)
  if (isPicture(mime)) return { mime, facts: { size: bytes.length, ...(await pictureFacts(bytes)) } }
  if (mime === "application/pdf") return { mime, facts: { size: bytes.length, ...(await pdfFacts(bytes, deps)) } }
  return { mime, facts: { size: bytes.length } }
}

async function pictureFacts(bytes: Buffer): Promise<FileFacts> {
  const head = readPictureHead(bytes)
  if (head === null) throw new MediaProblem("is a broken picture: its header is damaged.")
  const { width, height, isHeldWhole } = head
  const limit = isHeldWhole ? maxPixels.heldWhole : maxPixels.plain
  if (width * height > limit || Math.max(width, height) >= maxSide) {
    const passes = isHeldWhole ? " for a picture that is decoded as a whole" : ""
    throw new MediaProblem(
      `has ${width} × ${height} pixels, and the most is ${limit / 1_000_000} million${passes}. Make it smaller first.`,
    )
  }
  const problem = await decodingProblem(bytes, limit)
  if (problem !== null) throw new MediaProblem(`is a broken picture and cannot be decoded (${firstLine(problem)}).`)
  return (await isTurned(bytes)) ? { width: height, height: width } : { width, height }
}

async function pdfFacts(bytes: Buffer, deps: InspectDeps): Promise<FileFacts> {
  const { pages, isEncrypted } = await readPdfHead(bytes, deps)
  if (isEncrypted) throw new MediaProblem("is an encrypted PDF, which no model can read. Save it without a password.")
  if (pages === null || pages === 0) throw new MediaProblem("is a broken PDF: it has no pages.")
  if (pages > maxPages) {
    const words = `is a PDF of ${pages} pages, and the most is ${maxPages}. Extract the pages that matter, or their text.`
    throw new MediaProblem(words)
  }
  return { pages }
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

function firstLine(text: string): string {
  return (text.split("\n")[0] ?? "").slice(0, 200)
}
