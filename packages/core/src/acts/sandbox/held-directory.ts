import { chmodSync, closeSync, constants, lstatSync, openSync, readlinkSync, statSync } from "node:fs"

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const allModes = 0o7777
const ownerAll = 0o700

/**
 * Works in a directory through its open descriptor, so that replacing it by a link has no effect.
 * @returns null when no directory has exactly this name
 */
export function inDirectory<T>(directory: string, work: (held: string) => T): T | null {
  let descriptor: number
  try {
    descriptor = openSync(directory, flags)
  } catch {
    return null
  }
  try {
    const held = `/proc/self/fd/${descriptor}`
    return readlinkSync(held) === directory ? work(held) : null
  } finally {
    closeSync(descriptor)
  }
}

/** Works in a held directory even if its mode forbids writing; restores the mode afterwards. */
export function withWriting<T>(held: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isRefusal(error)) throw error
    const mode = statSync(held).mode & allModes
    chmodSync(held, mode | ownerAll)
    try {
      return work()
    } finally {
      chmodSync(held, mode)
    }
  }
}

export function isRefusal(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "EPERM")
}

/** Whether anything exists there, including a broken link and a file without access. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOTDIR")
  }
}

/** A name that is unused in a directory: this one, or with a number appended. */
export function freeName(directory: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}-${count}`
    if (lstatSync(`${directory}/${free}`, { throwIfNoEntry: false }) === undefined) return free
  }
}
