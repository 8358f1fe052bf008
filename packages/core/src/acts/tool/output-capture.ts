import { type FileHandle, open } from "node:fs/promises"
import { colouredOutput, endOfColoured, plainOutput } from "./coloured-output.ts"
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_LINES, outputHint } from "./truncate-output.ts"

/** The model reads this much of the beginning of a long output; the rest of the limit goes to the end. */
const HEAD_LINES = 400
const HEAD_BYTES = 10 * 1024
/** Bytes kept of the end: enough for the model's part and for 30,000 characters of live output. */
const TAIL_BYTES = 128 * 1024

export interface CapturedOutput {
  /** The text for the model: the whole output, or its beginning and end. */
  text: string
  /** The file with the full output when `text` is not all of it. */
  path: string | null
  bytes: number
}

export interface OutputCapture {
  /** Resolves when the chunk is stored; await it to slow the producer down. False when the limit is reached. */
  push(chunk: Buffer): Promise<boolean>
  /** The newest output with its colour sequences, which count as characters. */
  live(characters: number): string
  finish(): Promise<CapturedOutput>
  /** Closes the file; calling it after `finish` does nothing. */
  close(): Promise<void>
}

/**
 * Collects output of any length in bounded memory: the beginning and the end stay in memory, and output over the limits
 * also goes to `file`. At most `maxBytes` are saved.
 */
export function createOutputCapture(options: { file: string; maxBytes: number }): OutputCapture {
  let head = Buffer.alloc(0)
  let tail: Buffer[] = []
  let tailBytes = 0
  let bytes = 0
  let lines = 0
  let spool: FileHandle | null = null

  async function save(chunk: Buffer): Promise<void> {
    if (bytes + chunk.length > MAX_OUTPUT_BYTES && spool === null) {
      spool = await open(options.file, "wx", 0o600)
      await spool.write(head)
    }
    if (spool !== null) await spool.write(chunk)
  }

  return {
    async push(chunk) {
      const room = options.maxBytes - bytes
      const part = chunk.length > room ? chunk.subarray(0, room) : chunk
      await save(part)
      if (head.length < MAX_OUTPUT_BYTES) head = Buffer.concat([head, part.subarray(0, MAX_OUTPUT_BYTES - head.length)])
      tail.push(part)
      tailBytes += part.length
      // The tail is shortened only now and then, because each time copies all of it.
      if (tailBytes > TAIL_BYTES * 4) {
        tail = [Buffer.concat(tail).subarray(-TAIL_BYTES)]
        tailBytes = TAIL_BYTES
      }
      bytes += part.length
      lines += countBreaks(part)
      return part.length === chunk.length
    },
    live(characters) {
      // A character takes at most four bytes.
      const newest = Buffer.concat(tail).subarray(-characters * 4)
      const isCut = bytes > newest.length
      return endOfColoured(colouredOutput(isCut ? wholeLines(decodeCut(newest)) : newest.toString("utf8")), characters)
    },
    async finish() {
      if (bytes <= MAX_OUTPUT_BYTES && lines <= MAX_OUTPUT_LINES) {
        return { text: plainOutput(head.toString("utf8")), path: null, bytes }
      }
      if (spool === null) {
        spool = await open(options.file, "wx", 0o600)
        await spool.write(head)
      }
      return {
        text: shorten(head, Buffer.concat(tail), { bytes, lines, file: options.file }),
        path: options.file,
        bytes,
      }
    },
    async close() {
      await spool?.close()
      spool = null
    },
  }
}

/** Output that was cut at its start may begin inside a control sequence, so start after the first line break. */
function wholeLines(text: string): string {
  const at = text.indexOf("\n")
  return at < 0 || at === text.length - 1 ? text.replace(/^[\d;:]{0,60}m/, "") : text.slice(at + 1)
}

const lineFeed = 0x0a

function countBreaks(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) count++
  return count
}

function shorten(head: Buffer, tail: Buffer, facts: { bytes: number; lines: number; file: string }): string {
  const start = firstPart(head)
  const end = lastPart(tail, facts.bytes - Buffer.byteLength(start))
  const left = facts.bytes - Buffer.byteLength(start) - Buffer.byteLength(end)
  const note = `… ${left} bytes of ${facts.lines} lines in all were left out here. ${outputHint(facts.file)} …`
  return `${plainOutput(start)}\n${note}\n\n${plainOutput(end)}`
}

function firstPart(head: Buffer): string {
  const text = head
    .subarray(0, HEAD_BYTES)
    .toString("utf8")
    .replace(/\uFFFD+$/, "")
  const lines = text.split("\n")
  // The last line was probably cut, unless it is the only one.
  if (lines.length > HEAD_LINES) return `${lines.slice(0, HEAD_LINES).join("\n")}\n`
  return lines.length > 1 ? `${lines.slice(0, -1).join("\n")}\n` : text
}

function lastPart(tail: Buffer, available: number): string {
  const size = Math.min(available, MAX_OUTPUT_BYTES - HEAD_BYTES, tail.length)
  const lines = decodeCut(tail.subarray(tail.length - size)).split("\n")
  const keep = MAX_OUTPUT_LINES - HEAD_LINES
  if (lines.length > keep) return lines.slice(-keep).join("\n")
  return lines.length > 1 && size < available ? lines.slice(1).join("\n") : lines.join("\n")
}

/** Decodes bytes that may begin inside a character. */
function decodeCut(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/^\uFFFD+/, "")
}
