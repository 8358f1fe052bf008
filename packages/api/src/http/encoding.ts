import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

export type Encoding = "br" | "gzip"

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** What is made for one answer, or once for many. Of both encodings alike: zlib's and Brotli's levels up to here. */
const levels = { once: 3, kept: 9 }

/**
 * The body in an encoding. Fast settings for what is sent `once`: those at the end of a thin line save most of it
 * already. What is `kept` for all who ask is made smaller.
 */
export function encode(body: Uint8Array, encoding: Encoding, use: keyof typeof levels = "once"): Promise<Uint8Array> {
  const level = levels[use]
  if (encoding === "gzip") return zip(body, { level })
  const params = { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength }
  return brotli(body, { params })
}

/** The best encoding that an `Accept-Encoding` takes; null for none. RFC 9110, 12.5.3: `q=0` refuses, `*` stands for what is not named. */
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
