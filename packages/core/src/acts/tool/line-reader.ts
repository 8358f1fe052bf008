import { StringDecoder } from "node:string_decoder"
import type { OpenFile } from "./machine.ts"

/** Part of a text file. `lines` begin with the requested line. */
export interface LineWindow {
  lines: string[]
  /** Some lines were cut because they were too long. */
  cutLines: boolean
  /** The file continues after the last line. */
  more: boolean
  /** Null when the end of the file was not reached. */
  totalLines: number | null
}

/** What lines are read from. */
export interface LineSource {
  /** Bytes. */
  size: number
  /** Continues where the last read ended. */
  read(into: Buffer, offset: number, length: number): Promise<{ bytesRead: number }>
}

/** A file that is read from its present place. */
export async function lineSource(file: Pick<OpenFile, "stat" | "read">): Promise<LineSource> {
  const { size } = await file.stat({ bigint: true })
  return { size: Number(size), read: (into, offset, length) => file.read(into, offset, length, null) }
}

export interface LineLimits {
  /** First line, from 1. */
  start: number
  maxLines: number
  /** Most characters of one line. */
  maxLineLength: number
  /** Most UTF-8 bytes of all lines together. */
  maxBytes: number
}

const CHUNK_BYTES = 64 * 1024
/** In files up to this size, lines after the window are still counted for the total. */
const COUNT_UP_TO_BYTES = 8 * 1024 * 1024

/**
 * Reads a window of lines without loading the file. Memory stays below one chunk and one cut line, whatever the size of
 * the file or of a line.
 */
export async function readLineWindow(source: LineSource, limits: LineLimits, signal: AbortSignal): Promise<LineWindow> {
  const window = createWindow(limits)
  const decoder = new StringDecoder("utf8")
  const chunk = Buffer.alloc(CHUNK_BYTES)
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await source.read(chunk, 0, CHUNK_BYTES)
    if (bytesRead === 0) {
      window.push(decoder.end())
      return window.end(true)
    }
    window.push(decoder.write(chunk.subarray(0, bytesRead)))
    if (window.full() && source.size > COUNT_UP_TO_BYTES) return window.end(false)
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
  let hasPartialLine = false
  let cutLines = false
  let bytes = 0
  let more = false

  function finishLine(): void {
    number++
    hasPartialLine = false
    const line = partial.endsWith("\r") ? partial.slice(0, -1) : partial
    partial = ""
    if (number < start) return
    const cut = line.length > maxLineLength
    const shown = cut ? `${line.slice(0, maxLineLength)}…` : line
    const size = Buffer.byteLength(shown) + 1
    const isFull = more || lines.length >= maxLines || bytes + size > maxBytes
    if (isFull) {
      more = true
      return
    }
    cutLines ||= cut
    bytes += size
    lines.push(shown)
  }

  function extend(text: string): void {
    if (text === "") return
    hasPartialLine = true
    // A byte order mark is not part of the first line.
    const own = number === 0 && partial === "" && text.startsWith("\uFEFF") ? text.slice(1) : text
    // One extra character is kept, to know that the line was cut.
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
      if (reachedEnd && hasPartialLine) finishLine()
      return { lines, cutLines, more, totalLines: reachedEnd ? number : null }
    },
  }
}
