import { Transform, type TransformCallback } from "node:stream"

/** Bytes of one message: more is no answer about one file. */
const maxFrame = 16 * 1024 * 1024
const maxHeader = 4_096
/** What a server may send within `windowMs`. */
const maxBytes = 96 * 1024 * 1024
const maxMessages = 20_000
const windowMs = 10_000

/** A server sent what is no message, or more than it may. */
export class FrameError extends Error {}

/**
 * Passes messages with headers of the base protocol (LSP 3.17) on as they are.
 * Fails with FrameError for a header that is none, a message over 16 MiB, and a flood, before any of it is collected.
 * @param now monotonic ms
 */
export function guardFrames(now: () => number): Transform {
  let header = ""
  let body = 0
  let window = { since: now(), bytes: 0, messages: 0 }
  const count = (bytes: number) => {
    if (now() - window.since > windowMs) window = { since: now(), bytes: 0, messages: 0 }
    window.bytes += bytes
    if (window.bytes > maxBytes || window.messages > maxMessages) throw new FrameError("it sends messages without end")
  }
  const read = (chunk: Buffer) => {
    count(chunk.length)
    for (let at = 0; at < chunk.length; ) {
      if (body > 0) {
        const part = Math.min(body, chunk.length - at)
        body -= part
        at += part
        continue
      }
      header += String.fromCharCode(chunk[at] ?? 0)
      at += 1
      if (header.length > maxHeader) throw new FrameError("it sends something that is no message")
      if (!header.endsWith("\r\n\r\n")) continue
      body = lengthIn(header)
      header = ""
      window.messages += 1
    }
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      try {
        read(chunk)
        done(null, chunk)
      } catch (error) {
        done(error instanceof Error ? error : new FrameError(String(error)))
      }
    },
  })
}

function lengthIn(header: string): number {
  const lines = header.slice(0, -4).split("\r\n")
  const length = lines.map((line) => /^content-length: *(\d{1,12}) *$/i.exec(line)?.[1]).find((found) => found)
  if (length === undefined || lines.some((line) => !/^[\w-]+:/.test(line)))
    throw new FrameError("it sends something that is no message")
  if (Number(length) > maxFrame) throw new FrameError(`it sends a message of ${length} bytes`)
  return Number(length)
}
