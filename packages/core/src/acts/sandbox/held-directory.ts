import { chmodSync, closeSync, constants, lstatSync, openSync, readlinkSync, statSync } from "node:fs"

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
const allModes = 0o7777
const ownerAll = 0o700

/**
 * Works in a directory by its open file: a link that a program puts in its place meanwhile leads nowhere.
 * @returns null when there is no directory by exactly this name
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

/** Works in a held directory also where its mode forbids to write; that mode is as before afterwards. */
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

/** Whether anything is there, also a link that leads nowhere, and what nobody may look at. */
export function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ENOTDIR")
  }
}

/** A name that nothing in a directory has: this one, or with a number behind it. */
export function freeName(directory: string, name: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}-${count}`
    if (lstatSync(`${directory}/${free}`, { throwIfNoEntry: false }) === undefined) return free
  }
}
