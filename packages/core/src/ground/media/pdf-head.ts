import { promisify } from "node:util"
import { constants, inflate } from "node:zlib"
import { createYield } from "../concurrency/yield-to-event-loop.ts"

export interface PdfHead {
  /** Null when no page tree was found. */
  pages: number | null
  isEncrypted: boolean
}

const inflated = promisify(inflate)

/** Bytes of one packed stream that are unpacked, and of all of them. */
const most = { one: 4 * 1024 * 1024, all: 32 * 1024 * 1024 }
/** Places of one text that are looked at, and UTF-16 units of each. */
const mostPlaces = 2_000
const window = { tree: 200_000, dictionary: 2_000 }
/** ms; then what was found so far counts. */
const longest = 2_000

/**
 * Counts the pages of a PDF by its page tree, without reading the pages. Newer files pack the tree into object streams:
 * these are unpacked, within limits. A damaged stream is passed over.
 */
export async function readPdfHead(
  bytes: Buffer,
  { clock, signal }: { clock: () => number; signal?: AbortSignal },
): Promise<PdfHead> {
  const end = clock() + longest
  const yieldToEventLoop = createYield()
  const isLate = async () => {
    await yieldToEventLoop()
    signal?.throwIfAborted()
    return clock() > end
  }
  const text = bytes.toString("latin1")
  let pages = await pageCount(text, isLate)
  let left = most.all
  for (const at of placesOf(text, "/ObjStm")) {
    if (left <= 0 || (await isLate())) break
    const dictionary = text.slice(at, at + window.dictionary)
    const content = /stream\r?\n/.exec(dictionary)
    if (content === null) continue
    const start = at + content.index + content[0].length
    const unpacked = await unpack(bytes.subarray(start), Math.min(most.one, left))
    left -= unpacked.length
    pages = largest(pages, await pageCount(unpacked.toString("latin1"), isLate))
  }
  return { pages, isEncrypted: /\/Encrypt\s*(?:\d+\s+\d+\s+R|<<)/.test(text) }
}

/** Each node of the page tree says how many pages are below it: its root says most. */
async function pageCount(text: string, isLate: () => Promise<boolean>): Promise<number | null> {
  let found: number | null = null
  for (const at of placesOf(text, "/Pages")) {
    if (await isLate()) break
    // A catalogue names its tree by this word too.
    if (!/\/Type\s*$/.test(text.slice(Math.max(0, at - 20), at))) continue
    found = largest(found, countIn(beforeNext(text, at)) ?? countIn(sinceBegin(text, at)))
  }
  return found
}

/** The dictionary of a node after its type. */
function beforeNext(text: string, at: number): string {
  const rest = text.slice(at, at + window.tree)
  const ends = ["endobj", "/Type"].map((word) => rest.indexOf(word)).filter((end) => end >= 0)
  return rest.slice(0, Math.min(rest.length, ...ends))
}

/** The dictionary of a node before its type. */
function sinceBegin(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - window.tree), at)
  return before.slice(before.lastIndexOf("<<") + 1)
}

function countIn(dictionary: string): number | null {
  const [, count] = /\/Count\s+(\d{1,9})/.exec(dictionary) ?? []
  return count === undefined ? null : Number(count)
}

function* placesOf(text: string, word: string): Generator<number> {
  let found = 0
  for (let at = text.indexOf(word); at >= 0 && found < mostPlaces; at = text.indexOf(word, at + word.length)) {
    found += 1
    yield at
  }
}

function largest(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b)
}

/** What follows the packed content is left alone. Empty when it is damaged or too large. */
async function unpack(packed: Buffer, maxOutputLength: number): Promise<Buffer> {
  const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH }
  return inflated(packed.subarray(0, most.one), options).catch(() => Buffer.alloc(0))
}
