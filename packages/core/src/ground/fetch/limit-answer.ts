import type { Pace } from "../concurrency/create-pace.ts"

const mebibyte = 1_048_576
const [lineFeed, carriageReturn] = [10, 13]

interface AnswerLimits {
  host: string
  isEvents: boolean
  /** Bytes. */
  most: number
  /** How fast events may come. */
  pace?: Pace | undefined
}

/**
 * An answer that fails once it is larger than anybody should keep: an event of a stream of events, for the stream itself
 * has no end, or else the whole. What is compressed counts as it is unpacked.
 */
export function limitAnswer(
  body: ReadableStream<Uint8Array>,
  { host, isEvents, most, pace }: AnswerLimits,
): ReadableStream<Uint8Array> {
  const count = isEvents ? createEventCount() : createCount()
  const what = isEvents ? `An event of ${host}` : `The answer of ${host}`
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        const { bytes, events } = count(chunk)
        if (bytes > most) throw new Error(`${what} has more than ${most / mebibyte} MiB, so it is not read.`)
        controller.enqueue(chunk)
        await pace?.(events)
      },
    }),
  )
}

type Count = (chunk: Uint8Array) => { bytes: number; events: number }

/** The bytes so far. */
function createCount(): Count {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    return { bytes, events: 0 }
  }
}

/** The bytes of the largest event of a chunk, with what earlier ones had of it, and how many end in it: by a blank line. */
function createEventCount(): Count {
  let bytes = 0
  let isLineEmpty = true
  let last = 0
  return (chunk) => {
    let largest = 0
    let events = 0
    for (const byte of chunk) {
      bytes++
      // A line may end in both characters.
      const isSecond = byte === lineFeed && last === carriageReturn
      last = byte
      if (isSecond) continue
      const isEnd = byte === lineFeed || byte === carriageReturn
      if (isEnd && isLineEmpty) {
        largest = Math.max(largest, bytes)
        bytes = 0
        events++
      }
      isLineEmpty = isEnd
    }
    return { bytes: Math.max(largest, bytes), events }
  }
}
