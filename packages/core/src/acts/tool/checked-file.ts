import { randomBytes } from "node:crypto"
import { type BigIntStats, constants } from "node:fs"
import { type FileHandle, lstat, mkdir, open, readlink, realpath, rename, rmdir, unlink } from "node:fs/promises"
import path from "node:path"
import { errorCode } from "../../ground/error/error-code.ts"
import { permissionsOf } from "./text-file.ts"

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants

/**
 * Opens a regular file for reading by its resolved path, and checks that this very path was opened. A link that was
 * swapped in meanwhile, anywhere in the path, is refused. Pipes, sockets and devices are refused too.
 * @param real the resolved path, as `resolveWorktreePath` gives it
 */
export async function openChecked(real: string): Promise<FileHandle> {
  // O_NONBLOCK: opening a pipe without a writer must not block.
  const handle = await openWithoutLinks(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    const [stat] = await Promise.all([handle.stat(), assertSamePath(handle, real)])
    if (stat.isDirectory()) throw new Error(`${real} is a directory.`)
    if (!stat.isFile()) throw new Error(`${real} is not a regular file (a pipe, socket or device). It is refused.`)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * Writes a file atomically: a temporary file beside it is flushed and renamed over it, so readers and crashes see
 * either the old or the new text. Missing parent directories are created. The mode of an existing file is kept. On
 * Linux every step goes through the opened directory, so a swapped parent cannot lead outside.
 * @param temporary the name of the temporary file, from `temporaryName`
 * @returns the stat of the written file
 */
export async function writeAtomic(
  real: string,
  content: Buffer,
  options: { mode: number | null; temporary?: string },
): Promise<BigIntStats> {
  const staged = await stageFile(real, content, options)
  try {
    return await staged.commit()
  } catch (error) {
    await staged.discard()
    throw error
  }
}

/** The first half of `writeAtomic`: the content lies beside the file until `commit` renames it. */
export async function stageFile(
  real: string,
  content: Buffer,
  { mode, temporary: name = temporaryName() }: { mode: number | null; temporary?: string },
): Promise<{ commit(): Promise<BigIntStats>; discard(): Promise<void> }> {
  const parent = path.dirname(real)
  const { handle, made } = await openDirectory(parent)
  const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : parent
  const temporary = path.join(base, name)
  const discard = async () => {
    await unlink(temporary).catch(() => {})
    await handle.close().catch(() => {})
    await removeEmpty(parent, made)
  }
  try {
    await assertSamePath(handle, parent)
    const facts = await writeFlushed(temporary, content, mode)
    return {
      discard,
      async commit() {
        await rename(temporary, path.join(base, path.basename(real)))
        await handle.close()
        return facts
      },
    }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Removes a regular file by its resolved path; a parent that was swapped meanwhile is refused. */
export async function removeChecked(real: string): Promise<void> {
  const parent = path.dirname(real)
  const directory = await openWithoutLinks(parent, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    await assertSamePath(directory, parent)
    const base = process.platform === "linux" ? `/proc/self/fd/${directory.fd}` : parent
    await unlink(path.join(base, path.basename(real)))
  } finally {
    await directory.close()
  }
}

/** Removes the directories from `directory` up to `first` as long as they are empty. */
async function removeEmpty(directory: string, first: string | undefined): Promise<void> {
  if (first === undefined) return
  try {
    for (let at = directory; at.length >= first.length; at = path.dirname(at)) await rmdir(at)
  } catch {
    // Something else lies there by now.
  }
}

export function temporaryName(): string {
  return `.docket-${randomBytes(6).toString("hex")}.tmp`
}

/** Removes the temporary file that an interrupted write may have left. */
export async function removeTemporary(real: string, name: string): Promise<void> {
  if (/^\.docket-[0-9a-f]{12}\.tmp$/.test(name)) await unlink(path.join(path.dirname(real), name)).catch(() => {})
}

/** Opens a directory, and creates it if it is missing. `made` is the first directory that was created for it. */
async function openDirectory(real: string): Promise<{ handle: FileHandle; made: string | undefined }> {
  const flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
  try {
    return { handle: await open(real, flags), made: undefined }
  } catch {
    const made = await makeDirectories(real, flags)
    return { handle: await openWithoutLinks(real, flags), made }
  }
}

/** Creates missing directories below the deepest one that is there, which is checked to be the one that was named. */
async function makeDirectories(real: string, flags: number): Promise<string | undefined> {
  let top = path.dirname(real)
  while (top !== path.dirname(top) && (await lstat(top).catch(() => null)) === null) top = path.dirname(top)
  const handle = await openWithoutLinks(top, flags)
  try {
    await assertSamePath(handle, top)
    const base = process.platform === "linux" ? `/proc/self/fd/${handle.fd}` : top
    const made = await mkdir(path.join(base, path.relative(top, real)), { recursive: true })
    return made === undefined ? undefined : path.join(top, path.relative(base, made))
  } finally {
    await handle.close()
  }
}

async function writeFlushed(file: string, content: Buffer, mode: number | null): Promise<BigIntStats> {
  const handle = await open(file, "wx", mode ?? 0o666)
  try {
    await handle.writeFile(content)
    const facts = await handle.stat({ bigint: true })
    const hasOtherMode = mode !== null && permissionsOf(facts) !== mode
    // open() applies the umask, so set the mode of the old file explicitly.
    if (hasOtherMode) await handle.chmod(mode)
    await handle.sync()
    return hasOtherMode ? await handle.stat({ bigint: true }) : facts
  } finally {
    await handle.close()
  }
}

async function openWithoutLinks(real: string, flags: number): Promise<FileHandle> {
  try {
    return await open(real, flags)
  } catch (error) {
    if (errorCode(error) === "ELOOP" || errorCode(error) === "ENOTDIR") throw swappedError(real, error)
    if (errorCode(error) === "EACCES")
      throw new Error(`There is no permission on this machine to open ${real}.`, { cause: error })
    // Opening a socket always fails.
    if (errorCode(error) === "ENXIO") throw new Error(`${real} is not a regular file. It is refused.`, { cause: error })
    throw error
  }
}

/** Checks that the handle points to the path that was approved. */
async function assertSamePath(handle: FileHandle, real: string): Promise<void> {
  const opened = process.platform === "linux" ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(real)
  if (opened !== real) throw swappedError(real)
}

function swappedError(real: string, cause?: unknown): Error {
  return new Error(`${real} changed into something else while it was being opened. Nothing was done; try again.`, {
    cause,
  })
}
