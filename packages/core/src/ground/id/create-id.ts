import { randomBytes } from "node:crypto"
import { type IdKind, idPrefix } from "../schema/index.ts"
import { idDigits, maxTime } from "./id-time.ts"

/** 62^4 ids in one millisecond before the clock is pushed ahead. */
const maxCounter = 62 ** 4 - 1

export type CreateId = (kind: IdKind) => string

export interface IdSourceOptions {
  random?: (size: number) => Uint8Array
  /** The latest time (epoch ms) in the ids of an earlier source: ids of this one come after them. */
  after?: number
}

/** Bytes that are drawn at once: a step makes some ids, and each draw by itself takes longer than the id. */
const poolBytes = 4_096

function pooledBytes(): (size: number) => Uint8Array {
  let pool = Buffer.alloc(0)
  let used = 0
  return (size) => {
    if (used + size > pool.length) {
      pool = randomBytes(Math.max(poolBytes, size))
      used = 0
    }
    used += size
    return pool.subarray(used - size, used)
  }
}

/**
 * Makes an id source: `<prefix>_` + 12 hex of the 48-bit time in ms + 14 base62 (4 of a counter that
 * restarts each millisecond, 10 random). Ids of one source ascend strictly, also when the clock steps
 * back; session ids descend, so that the newest sorts first.
 */
export function createIdSource(
  clock: () => number = Date.now,
  { random = pooledBytes(), after = 0 }: IdSourceOptions = {},
): CreateId {
  // The counter of the earlier ids is not known, so the first id comes one millisecond after them.
  let last = after === 0 ? 0 : after + 1
  let counter = 0
  return (kind) => {
    const now = Math.max(clock(), last)
    counter = now === last ? counter + 1 : 0
    last = counter > maxCounter ? now + 1 : now
    if (counter > maxCounter) counter = 0
    return idAt(kind, { time: last, count: counter, random })
  }
}

/** The id of what was made at `time` (epoch ms) as the `count`th, from 0, of its millisecond. */
export function idAt(
  kind: IdKind,
  { time: at, count, random }: { time: number; count: number; random: (size: number) => Uint8Array },
): string {
  const descending = kind === "session"
  const time = descending ? maxTime - at : at
  const order = descending ? maxCounter - count : count
  return `${idPrefix[kind]}_${time.toString(16).padStart(12, "0")}${base62(order, 4)}${randomText(random, 10)}`
}

function base62(value: number, length: number): string {
  let rest = value
  let text = ""
  for (let i = 0; i < length; i++) {
    text = idDigits.charAt(rest % 62) + text
    rest = Math.floor(rest / 62)
  }
  return text
}

function randomText(random: (size: number) => Uint8Array, length: number): string {
  let text = ""
  while (text.length < length) {
    // 248 = 4 × 62: larger bytes would favour some letters.
    for (const byte of random(length)) if (byte < 248 && text.length < length) text += idDigits.charAt(byte % 62)
  }
  return text
}
