import { randomBytes } from "node:crypto"
import { crc32, deflateSync } from "node:zlib"

/** A whole PNG of one colour, made without a library. `interlaced` only says so in its header. */
export function pngOf(
  width: number,
  height: number,
  {
    colour = [30, 120, 220],
    interlaced = false,
  }: { colour?: readonly [number, number, number]; interlaced?: boolean } = {},
): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.from(Array.from({ length: width }, () => colour).flat())])
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, interlaced ? 1 : 0], 8)
  const rows = Buffer.concat(Array.from({ length: height }, () => row))
  return pngWith(head, deflateSync(rows))
}

/** A PNG whose header claims a size that its content does not have. */
export function hugePng(width: number, height: number, { interlaced = false } = {}): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, interlaced ? 1 : 0], 8)
  return pngWith(head, deflateSync(Buffer.alloc(100)))
}

/** A grey PNG whose points differ a little, so that it is large: about 1.5 bytes for each. */
export function grainyPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const rows = randomBytes(height * (1 + width * 3)).map((byte) => 120 + (byte & 15))
  for (let row = 0; row < height; row++) rows[row * (1 + width * 3)] = 0
  return pngWith(head, deflateSync(rows))
}

function pngWith(head: Buffer, content: Buffer): Buffer {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", content), chunk("IEND", Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A PDF with this many pages in its page tree; with `packed` the tree lies in an object stream. */
export function pdfOf(pages: number, { packed = false, encrypted = false } = {}): Buffer {
  const kids = Array.from({ length: Math.min(pages, 3) }, (_, index) => `${index + 3} 0 R`).join(" ")
  const tree = `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`
  const content = deflateSync(Buffer.from(`2 0 ${tree}`))
  const stream = `<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${content.length} >>\nstream\n`
  return Buffer.concat([
    Buffer.from("%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"),
    ...(packed
      ? [Buffer.from(`9 0 obj\n${stream}`), content, Buffer.from("\nendstream\nendobj\n")]
      : [Buffer.from(`2 0 obj\n${tree}\nendobj\n`)]),
    Buffer.from("3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>\nendobj\n"),
    Buffer.from(`trailer\n<< /Root 1 0 R${encrypted ? " /Encrypt 8 0 R" : ""} >>\nstartxref\n0\n%%EOF\n`),
  ])
}
