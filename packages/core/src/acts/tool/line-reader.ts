import { StringDecoder } from "node:string_decoder"
import type { OpenFile } from "./machine.ts"

/** Part of a text file. `lines` start at the asked line. */
export interface LineWindow {
  lines: string[]
  /** Lines that are longer than allowed were cut. */
  cutLines: boolean
  /** There is more after the last line. */
  more: boolean
  /** Null when the end was not reached. */
  totalLines: number | null
}

export interface LineLimits {
  /** First line, from 1. */
  start: number
  maxLines: number
  /** Characters of one line. */
  maxLineLength: number
  /** UTF-8 bytes of all lines together. */
  maxBytes: number
}

const CHUNK_BYTES = 64 * 1024
/** Past the window, lines are still counted in files up to this size, so that the total can be told. */
const COUNT_UP_TO_BYTES = 8 * 1024 * 1024

/**
 * Reads a window of lines without loading the file: memory stays below one chunk and one cut line, whatever
 * the size of the file or of a line.
 */
export async function readLineWindow(handle: OpenFile, limits: LineLimits, signal: AbortSignal): Promise<LineWindow> {
  const size = Number((await handle.stat({ bigint: true })).size)
  const window = createWindow(limits)
  const decoder = new StringDecoder("utf8")
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null)
    if (bytesRead === 0) {
      window.push(decoder.end())
      return window.end(true)
    }
    window.push(decoder.write(chunk.subarray(0, bytesRead)))
    if (window.full() && size > COUNT_UP_TO_BYTES) return window.end(false)
  }
}

interface WindowBuilder {
  push(text: string): void
  full(): boolean
  end(reachedEnd: boolean): LineWindow
}

function createWindow({ start, maxLines, maxLineLength, maxBytes }: LineLimits): WindowBuilder {
  const lines: string[] = []
  let number = 0
  let partial = ""
  let partialOpen = false
  let cutLines = false
  let bytes = 0
  let more = false

  function finishLine(): void {
    number++
    partialOpen = false
    const line = partial.endsWith("\r") ? partial.slice(0, -1) : partial
    partial = ""
    if (number < start) return
    const cut = line.length > maxLineLength
    const shown = cut ? `${line.slice(0, maxLineLength)}…` : line
    const size = Buffer.byteLength(shown) + 1
    if (more || lines.length >= maxLines || bytes + size > maxBytes) {
      more = true
      return
    }
    cutLines ||= cut
    bytes += size
    lines.push(shown)
  }

  function extend(text: string): void {
    if (text === "") return
    partialOpen = true
    // A byte order mark belongs to the file, not to its first line.
    const own = number === 0 && partial === "" && text.startsWith("\uFEFF") ? text.slice(1) : text
    // One character past the limit is kept, to know that the line was cut.
    if (partial.length <= maxLineLength) partial += own.slice(0, maxLineLength + 1 - partial.length)
  }

  return {
    push(text) {
      let from = 0
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", from)) {
        extend(text.slice(from, at))
        finishLine()
        from = at + 1
      }
      extend(text.slice(from))
    },
    full: () => more,
    end(reachedEnd) {
      if (reachedEnd && partialOpen) finishLine()
      return { lines, cutLines, more, totalLines: reachedEnd ? number : null }
    },
  }
}
