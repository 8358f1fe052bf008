import { closeSync, constants, openSync, readSync } from "node:fs"

/** Bytes. */
const maxStart = 100
/** Of refs, and of what git notes of their changes: `gitrepository-layout(5)`. */
const startOfRef = /^(?:ref: refs\/|[\da-f]{40}(?:[\da-f]{24})?(?:\s|$))/

/** Whether a file in a directory called `.git` is a branch, say, or the log of one: these may be called as other files are. */
export function isRef(file: string): boolean {
  if (!/\/\.git\/(?:.+\/)?(?:refs|logs)\//.test(file)) return false
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const start = Buffer.alloc(maxStart)
      return startOfRef.test(start.toString("latin1", 0, readSync(descriptor, start, 0, maxStart, 0)))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}
