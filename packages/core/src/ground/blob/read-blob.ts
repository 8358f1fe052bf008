import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { type BlobKey, type BlobSource, DamagedBlob } from "./blobs.ts"

/** The pieces of a source; throws DamagedBlob after the last one when they do not have the hash. */
export async function* checkedPieces(
  key: Pick<BlobKey, "hash">,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  where: string,
): AsyncGenerator<Uint8Array> {
  const digest = createHash("sha256")
  for await (const piece of pieces) {
    digest.update(piece)
    yield piece
  }
  if (digest.digest("hex") !== key.hash) throw new DamagedBlob(key, where)
}

/** The pieces of a source, checked against the hash. */
export function piecesOf(
  key: Pick<BlobKey, "hash">,
  source: BlobSource,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if ("bytes" in source) return checkedPieces(key, [source.bytes], "memory")
  if ("pieces" in source) return checkedPieces(key, source.pieces, "what was received")
  return checkedPieces(key, createReadStream(source.file, { signal }), source.file)
}

/** Bytes of a source; null when its file is not there, or nobody knows yet. */
export async function sizeOf(source: BlobSource): Promise<number | null> {
  if ("bytes" in source) return source.bytes.length
  if ("pieces" in source) return null
  return stat(source.file).then(
    ({ size }) => size,
    () => null,
  )
}

/** All pieces as one buffer. Only for contents that fit into memory. */
export async function wholeOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}
