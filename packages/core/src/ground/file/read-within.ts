import { readlink, realpath } from "node:fs/promises"
import { isWithin } from "./is-within.ts"
import { openRegularFile, readUpTo, UnfitFileError } from "./read-bounded-file.ts"

export interface FileHead {
  /** Where the file that was read really lies. */
  real: string
  /** The first bytes, at most as many as were asked for. */
  bytes: Buffer
  /** Bytes of the whole file. */
  size: number
}

/**
 * The beginning of a regular file. What counts is where the file that was opened lies, so a link that replaces it
 * meanwhile leads nowhere.
 *
 * @param top real path of the directory in which the file must really lie; null: anywhere
 * @param limit the most bytes that are read
 * @throws UnfitFileError when it lies elsewhere or is no regular file; the system's error when it cannot be read
 */
export async function readWithin(top: string | null, path: string, limit: number): Promise<FileHead> {
  // Before it is opened: a device outside may act when it is.
  assertWithin(top, await realpath(path))
  await using handle = await openRegularFile(path)
  const real = process.platform === "linux" ? await readlink(`/proc/self/fd/${handle.fd}`) : await realpath(path)
  assertWithin(top, real)
  const { size } = await handle.stat()
  return { real, bytes: await readUpTo(handle, limit), size }
}

function assertWithin(top: string | null, real: string): void {
  if (top !== null && !isWithin(top, real)) throw new UnfitFileError("is a link that leads out of the project")
}
