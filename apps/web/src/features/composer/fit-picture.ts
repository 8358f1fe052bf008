/** Bytes up to which a picture is sent as it is. */
const keptBytes = 600_000
/** Pixels of the longer side; models are shown no more than about so many. */
const longestSide = 2_000
/** From 0 to 1. */
const quality = 0.85

/** Kinds that a browser draws whole: of a GIF only the first frame would stay. */
const shrinkable = new Set(["image/png", "image/jpeg", "image/webp"])

/**
 * A large picture as a smaller one of the same name, so that screenshots and photos fit into a prompt. Any other file,
 * and a picture that does not get smaller or cannot be drawn, stays as it is.
 */
export async function fitPicture(file: File): Promise<File> {
  if (!shrinkable.has(file.type) || file.size <= keptBytes) return file
  try {
    // The camera's orientation is applied, because it is lost in the copy.
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" })
    const smaller = await drawn(picture, file.type === "image/png")
    picture.close()
    return smaller === null || smaller.size >= file.size ? file : new File([smaller], file.name, { type: smaller.type })
  } catch {
    return file
  }
}

/** Screenshots stay sharp as PNG while that is small enough. */
async function drawn(picture: ImageBitmap, isSharp: boolean): Promise<Blob | null> {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.max(1, Math.round(picture.width * scale))
  canvas.height = Math.max(1, Math.round(picture.height * scale))
  const context = canvas.getContext("2d")
  if (context === null) return null
  context.imageSmoothingQuality = "high"
  context.drawImage(picture, 0, 0, canvas.width, canvas.height)
  const png = isSharp ? await blobOf(canvas, "image/png") : null
  if (png !== null && png.size <= keptBytes) return png
  // JPEG knows no transparency, and would show it black.
  context.globalCompositeOperation = "destination-over"
  context.fillStyle = "#fff"
  context.fillRect(0, 0, canvas.width, canvas.height)
  return blobOf(canvas, "image/jpeg")
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
}
