import { Transform, type TransformCallback } from "node:stream"

/** Bytes of the head of a frame: the stream, three zeros, and the length as four bytes, the highest first. */
const headLength = 8

/**
 * Takes apart what the engine sends of a program without a terminal: frames of both of its outputs, joined here in the order
 * in which they were sent. A frame of any length passes piece by piece.
 */
export function readFrames(): Transform {
  let head = Buffer.alloc(0)
  let left = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let rest = chunk
      while (rest.length > 0) {
        if (left === 0) {
          const wanted = headLength - head.length
          head = Buffer.concat([head, rest.subarray(0, wanted)])
          rest = rest.subarray(wanted)
          if (head.length < headLength) break
          left = head.readUInt32BE(4)
          head = Buffer.alloc(0)
          continue
        }
        const piece = rest.subarray(0, left)
        this.push(piece)
        left -= piece.length
        rest = rest.subarray(piece.length)
      }
      done()
    },
  })
}
