/** What a parser may make of one file: a record costs a hundred times the two characters that it is written in. */
export interface JsonLimits {
  /** Records and lists. */
  containers: number
  /** Members of them beyond the first of each. */
  members: number
  /** Containers in containers. */
  depth: number
}

/** A session of 64 MiB has a fifth of that at most, and what people and models write nests a dozen deep. */
const usual: JsonLimits = { containers: 2_000_000, members: 12_000_000, depth: 1_000 }

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openRecord, closeRecord] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether JSON, or lines of it, would come to more than is worth its length: such a file holds a process up for minutes and
 * fills its memory. One look at each byte; what is no JSON is left to the parser.
 */
export function isTooRich(bytes: Uint8Array, limits = usual): boolean {
  let [containers, members, depth] = [0, 0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === comma) members += 1
    else if (byte === openList || byte === openRecord) {
      containers += 1
      depth += 1
      if (depth > limits.depth || containers > limits.containers) return true
    } else if (byte === closeList || byte === closeRecord) depth = Math.max(0, depth - 1)
  }
  return members > limits.members
}

/** Where the quote stands that ends a string; behind the last byte when none does. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(quote, from); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (at - escapes > from && bytes[at - escapes - 1] === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}
