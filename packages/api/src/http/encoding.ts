import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

export type Encoding = "br" | "gzip"

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compression levels: for a body that is sent once, or kept for many answers. zlib and Brotli use similar numbers. */
const levels = { once: 3, kept: 9 }

/**
 * Compresses a body: quickly when it is sent `once`, which saves most of the bytes for a slow connection, and smaller
 * when it is `kept` for everybody.
 */
export function encode(body: Uint8Array, encoding: Encoding, use: keyof typeof levels = "once"): Promise<Uint8Array> {
  const level = levels[use]
  if (encoding === "gzip") return zip(body, { level })
  const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength }
  return brotli(body, { params })
}

/**
 * The best encoding that an `Accept-Encoding` allows; null for none. RFC 9110, 12.5.3: `q=0` refuses, `*` means all
 * that are not named.
 */
export function chooseEncoding(accepted = ""): Encoding | null {
  const weights = new Map(accepted.split(",").map(weightOf))
  const weight = (name: string) => weights.get(name) ?? weights.get("*") ?? 0
  const [br, gzipped] = [weight("br"), weight("gzip")]
  if (br === 0 && gzipped === 0) return null
  return br >= gzipped ? "br" : "gzip"
}

function weightOf(item: string): [name: string, weight: number] {
  const [name = "", ...parameters] = item.split(";").map((it) => it.trim().toLowerCase())
  const q = parameters.find((it) => it.startsWith("q="))
  return [name, q === undefined ? 1 : Number(q.slice(2)) || 0]
}
