import { createHash } from "node:crypto"
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from "node:fs/promises"
import { join } from "node:path"
import { errorCode } from "../../ground/error/error-code.ts"

/**
 * Contents by their SHA-256 in a directory (`ab/abcd…`). A content is there whole or not at all, also after the machine
 * lost power.
 */
export interface ContentFiles {
  /** Writes a content, unless it is there undamaged. Resolves when it is on the disk. */
  write(hash: string, bytes: Buffer): Promise<void>
  /** Null when it is missing or damaged. */
  read(hash: string): Promise<Buffer | null>
  has(hash: string): Promise<boolean>
  /** The file of a content, whether it is there or not. */
  pathOf(hash: string): string
  /**
   * Removes a content that nothing needs. `isNeeded` is asked once it is out of the way, so that whoever needs it from
   * then on writes it again; when it says yes, the content comes back.
   */
  remove(hash: string, isNeeded: () => Promise<boolean>): Promise<void>
  /** The contents that were last written before a time (epoch ms). Removes what broken writes left. */
  olderThan(time: number): Promise<string[]>
}

const hashed = /^[0-9a-f]{64}$/

export function contentHash(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

export function createContentFiles(root: string, uniqueName: () => string): ContentFiles {
  const directoryOf = (hash: string) => join(root, hash.slice(0, 2))
  const pathOf = (hash: string) => join(directoryOf(hash), hash)
  const temporary = (hash: string) => `${pathOf(hash)}.${uniqueName()}.new`
  const read = async (hash: string): Promise<Buffer | null> => {
    const bytes = await readFile(pathOf(hash)).catch(ifMissing(null))
    return bytes !== null && contentHash(bytes) === hash ? bytes : null
  }
  /** Puts back what was out of the way when the process ended. False for the beginning of a content, which goes. */
  const takeBack = async (aside: string, hash: string): Promise<boolean> => {
    const bytes = hashed.test(hash) ? await readFile(aside).catch(ifMissing(null)) : null
    const isWhole = bytes !== null && contentHash(bytes) === hash && (await read(hash)) === null
    if (isWhole) await rename(aside, pathOf(hash))
    else await rm(aside, { force: true })
    return isWhole
  }
  return {
    ...{ read, pathOf },
    has: (hash) => stat(pathOf(hash)).then(() => true, ifMissing(false)),
    async write(hash, bytes) {
      if ((await read(hash)) !== null) return
      await mkdir(directoryOf(hash), { recursive: true, mode: 0o700 })
      const partial = temporary(hash)
      try {
        await writeSynced(partial, bytes)
        await rename(partial, pathOf(hash))
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
      await syncDirectory(directoryOf(hash))
    },
    async remove(hash, isNeeded) {
      const aside = temporary(hash)
      const isMoved = await rename(pathOf(hash), aside).then(() => true, ifMissing(false))
      if (!isMoved) return
      // Without an answer it stays.
      const needed = await isNeeded().catch(() => true)
      if (needed) await rename(aside, pathOf(hash))
      else await unlink(aside).catch(ifMissing(undefined))
    },
    async olderThan(time) {
      const found: string[] = []
      for (const directory of await readdir(root).catch(ifMissing([]))) {
        if (!/^[0-9a-f]{2}$/.test(directory)) continue
        for (const name of await readdir(join(root, directory))) {
          const file = join(root, directory, name)
          const changed = await stat(file).then(({ mtimeMs }) => mtimeMs, ifMissing(null))
          if (changed === null || changed >= time) continue
          if (hashed.test(name)) found.push(name)
          else if (name.endsWith(".new") && (await takeBack(file, name.slice(0, 64)))) found.push(name.slice(0, 64))
        }
      }
      return found
    },
  }
}

async function writeSynced(file: string, bytes: Buffer): Promise<void> {
  const handle: FileHandle = await open(file, "wx", 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory)
  await handle.sync().finally(() => handle.close())
}

function ifMissing<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (errorCode(error) === "ENOENT") return instead
    throw error
  }
}
