const mebibyte = 1_048_576
const [lineFeed, carriageReturn] = [10, 13]

/**
 * An answer that fails once it is larger than anybody should keep: an event of a stream of events, for the stream itself
 * has no end, or else the whole. What is compressed counts as it is unpacked.
 */
export function limitAnswer(
  body: ReadableStream<Uint8Array>,
  { host, isEvents, most }: { host: string; isEvents: boolean; most: number },
): ReadableStream<Uint8Array> {
  const count = isEvents ? createEventCount() : createCount()
  const what = isEvents ? `An event of ${host}` : `The answer of ${host}`
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (count(chunk) > most) throw new Error(`${what} has more than ${most / mebibyte} MiB, so it is not read.`)
        controller.enqueue(chunk)
      },
    }),
  )
}

/** The bytes so far. */
function createCount(): (chunk: Uint8Array) => number {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    return bytes
  }
}

/** The bytes of the largest event of a chunk, with what earlier ones had of it. A blank line ends an event. */
function createEventCount(): (chunk: Uint8Array) => number {
  let bytes = 0
  let isLineEmpty = true
  let last = 0
  return (chunk) => {
    let largest = 0
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
      }
      isLineEmpty = isEnd
    }
    return Math.max(largest, bytes)
  }
}
