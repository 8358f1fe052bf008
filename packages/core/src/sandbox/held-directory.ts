import { closeSync, constants, openSync, readlinkSync } from "node:fs"

const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

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
