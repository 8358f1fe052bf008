import { realpath } from "node:fs/promises"
import path from "node:path"
import { errorCode } from "../../ground/error/error-code.ts"
import type { OutputPage } from "../../ground/schema/output-page.ts"
import { openChecked } from "./checked-file.ts"
import { colouredOutput } from "./coloured-output.ts"

/** Bytes of a page. */
const pageBytes = 256 * 1024
/** A page without a line end is cut before a control sequence that begins in so many of its last bytes. */
const longestSequence = 128
const lineFeed = 0x0a
const escapeByte = 0x1b

/**
 * A page of a saved output, from a byte on; null when there is no such file. What was put in its place, a link or a
 * pipe, is not read.
 */
export async function readOutputPage(file: string, from: number): Promise<OutputPage | null> {
  try {
    // A command may change what lies here, not how one comes here.
    const directory = await realpath(path.dirname(path.dirname(file)))
    await using handle = await openChecked(path.join(directory, path.basename(path.dirname(file)), path.basename(file)))
    const { size } = await handle.stat()
    const start = Math.min(from, size)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(pageBytes, size - start)), {
      position: start,
    })
    const isLast = start + bytesRead >= size
    const page = buffer.subarray(0, isLast ? bytesRead : wholeLength(buffer.subarray(0, bytesRead)))
    return { text: colouredOutput(page.toString("utf8")), next: isLast ? null : start + page.length, size }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null
    throw error
  }
}

/** The length of a page that ends with a line, or at least not within a character or a control sequence. */
function wholeLength(page: Buffer): number {
  const line = page.lastIndexOf(lineFeed)
  if (line >= 0) return line + 1
  const sequence = page.lastIndexOf(escapeByte)
  if (sequence > 0 && sequence >= page.length - longestSequence) return sequence
  let end = page.length
  while (end > 1 && ((page[end - 1] ?? 0) & 0xc0) === 0x80) end--
  // What remains may be a whole character of one byte, or the first of several.
  return ((page[end - 1] ?? 0) & 0x80) === 0 ? end : Math.max(1, end - 1)
}
