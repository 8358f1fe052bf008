/**
 * Limits for what a parser may create from one file: a record of two characters needs a hundred times as much memory.
 */
export interface JsonLimits {
  /** Objects and arrays. */
  containers: number
  /** Members after the first of each container. */
  members: number
  /** Levels of nested containers. */
  depth: number
}

/** A session of 64 MiB has at most a fifth of that, and nesting in real content is about a dozen levels. */
const usual: JsonLimits = { containers: 2_000_000, members: 12_000_000, depth: 1_000 }

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openRecord, closeRecord] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether JSON, or lines of it, would exceed the limits: such a file would block the process for minutes and fill its
 * memory. Looks at each byte once; invalid JSON is left to the parser.
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

/** The index of the quote that ends a string; after the last byte when there is none. */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(quote, from); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let escapes = 0
    while (at - escapes > from && bytes[at - escapes - 1] === backslash) escapes += 1
    if (escapes % 2 === 0) return at
  }
  return bytes.length
}
