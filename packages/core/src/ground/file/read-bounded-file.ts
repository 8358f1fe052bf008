import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"

/** A file that is there but is not read: a pipe, a device, a directory, or one that is too large. */
export class UnfitFileError extends Error {
  constructor(message: string) {
    super(message)
    this.name = "UnfitFileError"
  }
}

const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY

/**
 * Opens a regular file for reading, links followed. Opening never waits: a pipe that nobody writes would hold
 * its reader for ever (fifo(7)), and a device may have no end.
 * @throws UnfitFileError when it is no regular file; the system's error when it cannot be opened
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, flags).catch((error: unknown) => {
    throw openingError(error)
  })
  try {
    assertRegular(await handle.stat())
    return handle
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
  throw tooLarge(limit)
}

/** As readBoundedFile, for the few files that are read before anything else can start. */
export function readBoundedFileSync(path: string, limit: number): Buffer {
  const file = openForReading(path)
  try {
    assertRegular(fstatSync(file))
    const room = Buffer.alloc(limit + 1)
    let read = 0
    for (let got = -1; got !== 0 && read < room.length; read += got) {
      got = readSync(file, room, read, room.length - read, read)
    }
    if (read > limit) throw tooLarge(limit)
    return room.subarray(0, read)
  } finally {
    closeSync(file)
  }
}

/** The first bytes of an opened file, at most `limit`. For files in /proc, the size that `fstat` reports is wrong. */
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
  if (code === "ENOENT") return "does not exist"
  return `cannot be read (${String(code)}); check its permissions`
}

function openForReading(path: string): number {
  try {
    return openSync(path, flags)
  } catch (error) {
    throw openingError(error)
  }
}

/** A socket, or a device without a driver, cannot be opened at all. */
function openingError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  return code === "ENXIO" || code === "ENODEV"
    ? new UnfitFileError("is a socket or a device, not a regular file")
    : error
}

function assertRegular(stats: Stats): void {
  if (stats.isFile()) return
  const kind = stats.isDirectory() ? "a directory" : stats.isFIFO() ? "a pipe" : "a device"
  throw new UnfitFileError(`is ${kind}, not a regular file`)
}

function tooLarge(limit: number): UnfitFileError {
  return new UnfitFileError(`is larger than ${limit} bytes, the most that is read`)
}
