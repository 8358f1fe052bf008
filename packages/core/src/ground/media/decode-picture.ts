import type sharp from "sharp"
import { createKeyedQueue } from "../concurrency/keyed-queue.ts"

type Sharp = typeof sharp

// One at a time: a large picture takes up to 300 MB and a thread that reads of files need too.
const inOrder = createKeyedQueue()

/** s; a picture that takes longer is given up. */
const longest = 20

/** The readers of PNG, JPEG, GIF and WebP in libvips. */
const pictureLoaders = ["Png", "Jpeg", "Nsgif", "Webp"].map((format) => `VipsForeignLoad${format}`)

/** Null without the optional package. */
let loaded: Promise<Sharp | null> | undefined

function loadSharp(): Promise<Sharp | null> {
  loaded ??= import("sharp").then(
    (found) => {
      // Pictures are read one at a time and seldom again.
      found.default.cache(false)
      // What is told from its first bytes is decoded as that and as nothing else.
      found.default.block({ operation: ["VipsForeignLoad"] })
      found.default.unblock({ operation: pictureLoaders })
      return found.default
    },
    () => null,
  )
  return loaded
}

/** Whether pictures can be decoded and made smaller here: the package `sharp` is installed. */
export async function canDecode(): Promise<boolean> {
  return (await loadSharp()) !== null
}

/**
 * Decodes a picture and throws away what it shows. Resolves with what is wrong with it; null for nothing, or when
 * pictures cannot be decoded here.
 */
export async function decodingProblem(bytes: Buffer, maxPixels: number): Promise<string | null> {
  const decode = await loadSharp()
  if (decode === null) return null
  try {
    const small = decode(bytes, { failOn: "truncated", limitInputPixels: maxPixels, sequentialRead: true })
      .resize(8, 8, { fit: "fill" })
      .timeout({ seconds: longest })
      .raw()
    await inOrder("picture", () => small.toBuffer())
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Whether the picture is shown lying on its side, so that its width is its height. False when nobody can say. */
export async function isTurned(bytes: Buffer): Promise<boolean> {
  const decode = await loadSharp()
  if (decode === null) return false
  const { orientation = 1 } = await decode(bytes)
    .metadata()
    .catch(() => ({ orientation: 1 }))
  // EXIF 2.3, 4.6.4: from 5 on, rows and columns are exchanged.
  return orientation >= 5
}

export interface SmallerPicture {
  bytes: Buffer
  mime: "image/jpeg" | "image/png"
}

const qualities = [85, 70, 50]

/**
 * The picture with no side over `edge` pixels, in at most `maxBytes`. Null when it does not get that small, or when
 * pictures cannot be decoded here. The same picture always gives the same bytes, so that providers can cache them.
 */
export async function shrinkPicture(
  bytes: Buffer,
  { edge, maxBytes, maxPixels }: { edge: number; maxBytes: number; maxPixels: number },
): Promise<SmallerPicture | null> {
  const decode = await loadSharp()
  if (decode === null) return null
  try {
    const source = decode(bytes, { limitInputPixels: maxPixels, sequentialRead: true })
    const small = source
      .rotate()
      .resize({ width: edge, height: edge, fit: "inside", withoutEnlargement: true })
      .timeout({ seconds: longest })
    // Drawings and screenshots stay sharp as PNG, and are often smaller so.
    const made = (as: ReturnType<Sharp>) => inOrder("picture", () => as.toBuffer())
    const png = await made(small.clone().png({ compressionLevel: 9, palette: false }))
    if (png.length <= Math.min(maxBytes, preferredBytes)) return { bytes: png, mime: "image/png" }
    for (const quality of qualities) {
      const jpeg = await made(small.clone().flatten({ background: "#ffffff" }).jpeg({ quality }))
      if (jpeg.length <= maxBytes) return { bytes: jpeg, mime: "image/jpeg" }
    }
    return null
  } catch {
    return null
  }
}

/** Bytes up to which a PNG is sent as it is. */
const preferredBytes = 1_500_000
