import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { DocketError } from "../error/docket-error.ts"
import { errorCode } from "../error/error-code.ts"
import { asidePath, type BlobKey, type Blobs, blobOfName, blobPath, type ListedBlob, tenantPath } from "./blobs.ts"
import { checkedPieces, piecesOf, sizeOf } from "./read-blob.ts"

/** What a broken write left is removed when it is this old (ms). */
const brokenAfterMs = 24 * 60 * 60_000

/** Contents as files of a directory: one that several hosts have, or a cache of this one. */
export function createFileBlobs(root: string, clock: () => number = Date.now): Blobs {
  const pathOf = (key: BlobKey) => join(root, blobPath(key))
  const head = async (key: BlobKey) => {
    const facts = await stat(pathOf(key)).catch(ifMissing(null))
    return facts && { size: facts.size, written: facts.mtimeMs }
  }
  /** The file of a content, also while a removal has it out of the way. */
  const openFile = async (key: BlobKey): Promise<FileHandle | null> => {
    const found = await open(pathOf(key)).catch(ifMissing(null))
    if (found !== null) return found
    const aside = (await names(dirname(pathOf(key)))).find((name) => name.startsWith(`${key.hash}.`) && isAside(name))
    return aside === undefined ? null : open(join(dirname(pathOf(key)), aside)).catch(ifMissing(null))
  }
  const removeAside = async (key: BlobKey, aside: string, isNeeded: () => Promise<boolean>) => {
    const needed = await isNeeded().catch(() => true)
    if (needed && (await head(key)) === null) await rename(aside, pathOf(key)).catch(ifMissing(undefined))
    else await rm(aside, { force: true })
  }
  return {
    address: root,
    head,
    async put(key, source, signal) {
      const path = pathOf(key)
      if ((await head(key))?.size === (await sizeOf(source))) return
      await refused(root, async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        const partial = `${path}.${randomUUID()}.new`
        try {
          await writeSynced(partial, piecesOf(key, source, signal))
          await rename(partial, path)
        } catch (error) {
          await rm(partial, { force: true })
          throw error
        }
        await syncDirectory(dirname(path))
      })
    },
    async get(key, { range, signal } = {}) {
      const file = await openFile(key)
      if (file === null) return null
      const { start, end } = range ?? {}
      if (end !== undefined && end <= (start ?? 0)) return closed(file)
      const bounds = { ...(start !== undefined && { start }), ...(end !== undefined && { end: end - 1 }) }
      const pieces = createReadStream("", { fd: file, signal, ...bounds })
      return range === undefined ? checkedPieces(key, pieces, root) : pieces
    },
    async remove(key, isNeeded) {
      const path = pathOf(key)
      for (const name of await names(dirname(path))) {
        if (name.startsWith(`${key.hash}.`) && isAside(name))
          await removeAside(key, join(dirname(path), name), isNeeded)
      }
      const aside = join(root, asidePath(key, randomUUID()))
      const isMoved = await rename(path, aside).then(() => true, ifMissing(false))
      if (isMoved) await removeAside(key, aside, isNeeded)
    },
    async *list(tenant) {
      const directory = join(root, tenantPath(tenant))
      for (const part of await names(directory)) yield* listDirectory(join(directory, part), clock() - brokenAfterMs)
    },
    removeTenant: (tenant) => rm(join(root, tenantPath(tenant)), { recursive: true, force: true }),
  }
}

async function* listDirectory(directory: string, brokenBefore: number): AsyncGenerator<ListedBlob> {
  for (const name of await names(directory)) {
    const file = join(directory, name)
    const facts = await stat(file).catch(ifMissing(null))
    if (facts === null) continue
    const blob = blobOfName(name)
    if (blob !== null) yield { ...blob, size: facts.size, written: facts.mtimeMs }
    else if (name.endsWith(".new") && facts.mtimeMs < brokenBefore) await rm(file, { force: true })
  }
}

function isAside(name: string): boolean {
  return blobOfName(name)?.isAside === true
}

async function closed(file: FileHandle): Promise<AsyncIterable<Uint8Array>> {
  await file.close()
  return Readable.from([])
}

function names(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return []
    throw error
  })
}

async function writeSynced(file: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(file, "wx", 0o600)
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}

/** What the disk refuses, in words that say what to do. */
async function refused<T>(root: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    const code = errorCode(cause)
    if (!["ENOSPC", "EDQUOT", "EACCES", "EPERM", "EROFS", "EIO", "ESTALE"].includes(code)) throw cause
    const what = code === "ENOSPC" || code === "EDQUOT" ? "is full: make room on it" : `takes nothing (${code})`
    throw new DocketError("blobs_unavailable", `The store of contents ${root} ${what}.`, { cause })
  }
}

function ifMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (errorCode(error) === "ENOENT") return instead
    throw error
  }
}
