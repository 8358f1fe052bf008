import { realpath } from "node:fs/promises"
import path from "node:path"
import { errorCode } from "../../ground/error/error-code.ts"
import type { OutputPage } from "../../ground/schema/output-page.ts"
import { openChecked } from "./checked-file.ts"
import { colouredOutput } from "./coloured-output.ts"

/** Bytes of a page. */
const pageBytes = 256 * 1024
/** A page without a line end is cut before a control sequence that starts within this many last bytes. */
const longestSequence = 128
const lineFeed = 0x0a
const escapeByte = 0x1b

/**
 * A page of a saved output, starting at a byte; null when the file does not exist. A link or pipe in its place is not
 * read.
 */
export async function readOutputPage(file: string, from: number): Promise<OutputPage | null> {
  try {
    // A command may replace the files here, but not the directories above.
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

/** The length of a page that ends at a line end, or at least not inside a character or control sequence. */
function wholeLength(page: Buffer): number {
  const line = page.lastIndexOf(lineFeed)
  if (line >= 0) return line + 1
  const sequence = page.lastIndexOf(escapeByte)
  if (sequence > 0 && sequence >= page.length - longestSequence) return sequence
  let end = page.length
  // In UTF-8 all bytes of a character after the first begin with the bits 10.
  while (end > 1 && ((page[end - 1] ?? 0) & 0xc0) === 0x80) end--
  // The rest may be a one-byte character or the first byte of several.
  return ((page[end - 1] ?? 0) & 0x80) === 0 ? end : Math.max(1, end - 1)
}
