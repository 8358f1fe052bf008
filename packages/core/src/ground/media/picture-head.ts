/** What the beginning of a picture says of it. */
export interface PictureHead {
  /** Pixels, as it is stored: an orientation is not applied. */
  width: number
  height: number
  /** Whether decoding keeps all of it in memory: it is stored in several passes, or a WebP. */
  isHeldWhole: boolean
}

/** Reads the size of a PNG, JPEG, GIF or WebP from its header; null when it has none. Decodes nothing. */
export function readPictureHead(bytes: Uint8Array): PictureHead | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const read = readers.find(({ begins }) => begins(data))
  if (read === undefined) return null
  try {
    const head = read.head(data)
    return head !== null && head.width > 0 && head.height > 0 ? head : null
  } catch (error) {
    // The header is longer than the file.
    if (error instanceof RangeError) return null
    throw error
  }
}

interface Reader {
  begins(data: Buffer): boolean
  /** May read past the end, which throws a RangeError. */
  head(data: Buffer): PictureHead | null
}

const readers: Reader[] = [
  {
    begins: (data) => data.subarray(0, 4).toString("latin1") === "\x89PNG",
    head: (data) =>
      data.toString("latin1", 12, 16) === "IHDR"
        ? { width: data.readUInt32BE(16), height: data.readUInt32BE(20), isHeldWhole: data.readUInt8(28) === 1 }
        : null,
  },
  {
    begins: (data) => data.subarray(0, 3).toString("latin1") === "GIF",
    // Its frames are small: GIF has 256 colours, and only the first frame is read.
    head: (data) => ({ width: data.readUInt16LE(6), height: data.readUInt16LE(8), isHeldWhole: false }),
  },
  {
    begins: (data) => data.toString("latin1", 0, 4) === "RIFF" && data.toString("latin1", 8, 12) === "WEBP",
    head: webpHead,
  },
  { begins: (data) => data[0] === 0xff && data[1] === 0xd8, head: jpegHead },
]

/** RFC 9649. */
function webpHead(data: Buffer): PictureHead | null {
  switch (data.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: data.readUIntLE(24, 3) + 1, height: data.readUIntLE(27, 3) + 1, isHeldWhole: true }
    case "VP8L": {
      const bits = data.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isHeldWhole: true }
    }
    case "VP8 ":
      return { width: data.readUInt16LE(26) & 0x3fff, height: data.readUInt16LE(28) & 0x3fff, isHeldWhole: true }
    default:
      return null
  }
}

/** Walks the segments up to the frame header (ITU T.81, B.1). */
function jpegHead(data: Buffer): PictureHead | null {
  let at = 2
  while (true) {
    if (data.readUInt8(at) !== 0xff) return null
    const marker = data.readUInt8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) {
      const isHeldWhole = marker === 0xc2 || marker === 0xc6 || marker === 0xca || marker === 0xce
      return { width: data.readUInt16BE(at + 7), height: data.readUInt16BE(at + 5), isHeldWhole }
    }
    // The picture itself begins before any frame header.
    if (marker === 0xda || marker === 0xd9) return null
    const isAlone = marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)
    at += isAlone ? 2 : 2 + Math.max(2, data.readUInt16BE(at + 2))
  }
}
