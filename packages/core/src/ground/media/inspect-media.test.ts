import sharp from "sharp"
import { expect, test } from "vitest"
import { hugePng, pdfOf, pngOf } from "../../test/pictures.ts"
import { shrinkPicture } from "./decode-picture.ts"
import { inspectMedia, maxPixels } from "./inspect-media.ts"
import { knownType, mediaTypeOf } from "./media-type.ts"
import { readPictureHead } from "./picture-head.ts"

const deps = { clock: Date.now }
const inspected = (bytes: Buffer, named = "") => inspectMedia(bytes, named, deps)

test.each([
  ["png", "image/png"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
] as const)("a %s picture is known by its content, with its size", async (format, mime) => {
  const bytes = await sharp({ create: { width: 31, height: 17, channels: 3, background: "#f80" } })
    .toFormat(format)
    .toBuffer()
  expect(await inspected(bytes, "application/zip")).toEqual({
    mime,
    facts: { size: bytes.length, width: 31, height: 17 },
  })
  expect(readPictureHead(bytes)).toMatchObject({ isHeldWhole: format === "webp" })
})

test("lossless and animated WebP and progressive JPEG tell their size", async () => {
  const picture = sharp({ create: { width: 300, height: 170, channels: 4, background: "#f808" } })
  const lossless = await picture.clone().webp({ lossless: true }).toBuffer()
  const progressive = await picture.clone().jpeg({ progressive: true }).toBuffer()
  const interlaced = await picture.clone().png({ progressive: true }).toBuffer()
  expect(readPictureHead(lossless)).toMatchObject({ width: 300, height: 170 })
  expect(readPictureHead(progressive)).toEqual({ width: 300, height: 170, isHeldWhole: true })
  expect(readPictureHead(interlaced)).toEqual({ width: 300, height: 170, isHeldWhole: true })
})

test("a photo on its side has the size that is shown", async () => {
  const bytes = await sharp(pngOf(40, 20)).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect(await inspected(bytes)).toMatchObject({ facts: { width: 20, height: 40 } })
  const smaller = await shrinkPicture(bytes, { edge: 20, maxBytes: 100_000, maxPixels: maxPixels.plain })
  expect(readPictureHead(smaller?.bytes ?? Buffer.alloc(0))).toMatchObject({ width: 10, height: 20 })
})

test.each([
  ["an SVG named as PNG", '<?xml version="1.0"?>\n<!-- made by hand -->\n<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ["a bare SVG", "<svg><script>alert(1)</script></svg>"],
])("%s is an SVG, which is text", async (_, text) => {
  expect(await inspected(Buffer.from(text), "image/png")).toMatchObject({ mime: "image/svg+xml" })
})

test("hundreds of comments before no element are read in one pass", () => {
  const comments = "<!---->".repeat(580)
  expect(knownType(Buffer.from(`${comments}x`))).toBeNull()
  const few = comments.slice(0, 70)
  expect(knownType(Buffer.from(`\uFEFF ${few}\n<!DOCTYPE svg PUBLIC "x">${few}<svg>`))).toBe("image/svg+xml")
})

test("a text of many comments is told from an SVG at once", () => {
  expect(knownType(Buffer.from(`${"<!---->".repeat(500)}<p>`))).toBeNull()
  expect(knownType(Buffer.from(`${"<!-- <svg> -->\n".repeat(100)}<svg>`))).toBe("image/svg+xml")
})

test("what is no picture does not become one by its name", () => {
  expect(mediaTypeOf(Buffer.of(1, 0, 2), "image/png")).toBe("application/octet-stream")
  expect(mediaTypeOf(Buffer.from("PK\x03\x04"), "application/zip")).toBe("application/zip")
  expect(mediaTypeOf(Buffer.of(), "image/png")).toBe("application/octet-stream")
  expect(mediaTypeOf(Buffer.from("just words"), "text/plain; charset=utf-8")).toBe("text/plain")
  expect(knownType(Buffer.from("<html><svg></svg></html>"))).toBeNull()
})

test.each(["video/mp2t", "image/png", "application/octet-stream", ""])("a text that is named %j is a text", (named) => {
  expect(mediaTypeOf(Buffer.from("export const größe = 1\n"), named)).toBe("text/plain")
  expect(mediaTypeOf(Buffer.from("gr\xF6\xDFe", "latin1"), "video/mp2t")).toBe("video/mp2t")
})

test.each([
  ["a picture that breaks off", pngOf(64, 64).subarray(0, 120), "is a broken picture"],
  ["a picture without a header", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "its header is damaged"],
  ["30,000 × 30,000 pixels", hugePng(30_000, 30_000), "has 30000 × 30000 pixels"],
  ["a line of 60,000 pixels", hugePng(60_000, 10), "has 60000 × 10 pixels"],
  ["a large picture in passes", hugePng(5_000, 5_000, { interlaced: true }), "decoded as a whole"],
  ["a file over 20 MB", Buffer.alloc(20 * 1024 * 1024 + 1), "has 20.0 MB"],
  ["10,000 pages", pdfOf(10_000), "is a PDF of 10000 pages"],
  ["10,000 packed pages", pdfOf(10_000, { packed: true }), "is a PDF of 10000 pages"],
  ["an encrypted PDF", pdfOf(1, { encrypted: true }), "is an encrypted PDF"],
  ["a PDF without pages", Buffer.from("%PDF-1.7\n%%EOF"), "it has no pages"],
])("%s is refused with the reason", async (_, bytes, reason) => {
  await expect(inspected(bytes)).rejects.toThrow(reason)
})

test("a truncated JPEG is refused", async () => {
  const bytes = await sharp(pngOf(200, 200)).jpeg().toBuffer()
  await expect(inspected(bytes.subarray(0, bytes.length - 200))).rejects.toThrow("cannot be decoded")
})

test.each([
  ["plain", pdfOf(7)],
  ["packed", pdfOf(7, { packed: true })],
])("the pages of a %s page tree are counted", async (_, bytes) => {
  expect(await inspected(bytes)).toEqual({ mime: "application/pdf", facts: { size: bytes.length, pages: 7 } })
})

test("damaged and empty object streams end the count, not the process", async () => {
  const empty = "5 0 obj\n<< /Type /ObjStm /Length 0 >>\nstream\n\nendstream\nendobj\n"
  const damaged = "6 0 obj\n<< /Type /ObjStm >>\nstream\nnot packed at all"
  const words = `${"/Type /Pages ".repeat(50_000)}${"/Count 3 ".repeat(50_000)}${"/ObjStm ".repeat(50_000)}`
  const bytes = Buffer.concat([pdfOf(2), Buffer.from(empty + damaged + words)])
  expect(await inspected(bytes)).toMatchObject({ facts: { pages: expect.any(Number) } })
})

test("a picture is made smaller, the same each time", async () => {
  const limits = { edge: 400, maxBytes: 100_000, maxPixels: maxPixels.plain }
  const made = await Promise.all([0, 1].map(() => shrinkPicture(pngOf(1_000, 500), limits)))
  expect(made[0]).toEqual(made[1])
  expect(readPictureHead(made[0]?.bytes ?? Buffer.alloc(0))).toMatchObject({ width: 400, height: 200 })
})

test("a noisy picture becomes a JPEG within the bytes", async () => {
  const noise = Buffer.from(Array.from({ length: 600 * 600 * 3 }, (_, at) => (at * 7919 * (at % 251)) % 256))
  const png = await sharp(noise, { raw: { width: 600, height: 600, channels: 3 } })
    .png()
    .toBuffer()
  const made = await shrinkPicture(png, { edge: 2_000, maxBytes: 300_000, maxPixels: maxPixels.plain })
  expect(made).toMatchObject({ mime: "image/jpeg" })
  expect(made?.bytes.length).toBeLessThanOrEqual(300_000)
})
