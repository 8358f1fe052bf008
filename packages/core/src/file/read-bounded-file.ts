import { constants } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"

/** A file that is there but is not read: a pipe, a device, a directory, or one that is too large. */
export class UnfitFileError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "UnfitFileError"
  }
}

/**
 * Opens a regular file for reading, links followed. Opening never waits: a pipe that nobody writes would hold
 * its reader for ever (fifo(7)), and a device may have no end.
 * @throws UnfitFileError when it is no regular file; the system's error when it cannot be opened
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY).catch((error) => {
    // A socket, or a device without a driver, cannot be opened at all.
    throw error.code === "ENXIO" || error.code === "ENODEV" ? notRegular("a socket or a device") : error
  })
  try {
    const stat = await handle.stat()
    if (stat.isFile()) return handle
    throw notRegular(stat.isDirectory() ? "a directory" : stat.isFIFO() ? "a pipe" : "a device")
  } catch (error) {
    await handle.close()
    throw error
  }
}

/**
 * The bytes of a regular file, all of them.
 * @param limit the most bytes that are read
 * @throws UnfitFileError when it is larger or no regular file; the system's error when it cannot be read
 */
export async function readBoundedFile(path: string, limit: number): Promise<Buffer> {
  await using handle = await openRegularFile(path)
  const bytes = await readUpTo(handle, limit + 1)
  if (bytes.length <= limit) return bytes
  throw new UnfitFileError(`is larger than ${limit} bytes, the most that is read`)
}

/** The first bytes of an opened file, at most `limit`. What `fstat` says of a file in /proc is not its size. */
export async function readUpTo(handle: FileHandle, limit: number): Promise<Buffer> {
  const { size } = await handle.stat()
  const chunks: Buffer[] = []
  let read = 0
  while (read < limit) {
    const room = Buffer.alloc(Math.min(limit - read, Math.max(size - read + 1, 4_096)))
    const { bytesRead } = await handle.read(room, 0, room.length, read)
    if (bytesRead === 0) break
    chunks.push(room.subarray(0, bytesRead))
    read += bytesRead
  }
  return Buffer.concat(chunks)
}

/** Why a file could not be read, as the rest of a sentence that begins with its name. */
export function unreadableReason(error: unknown): string {
  if (error instanceof UnfitFileError) return error.message
  const code = error instanceof Error && "code" in error ? error.code : error
  return `cannot be read (${String(code)}); check its permissions`
}

function notRegular(kind: string): UnfitFileError {
  return new UnfitFileError(`is ${kind}, not a regular file`)
}
