import { chmodSync, cpSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs"
import path from "node:path"
import { inDirectory, isRefusal, withWriting } from "./held-directory.ts"
import { isThere } from "./is-there.ts"

const ownerAll = 0o700

/**
 * Moves a file or directory to a place that no program of a sandbox sees.
 * @param to a directory that is not there yet
 * @returns where it is now; null when it was gone
 */
export function moveAside(file: string, to: string): string | null {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const aside = path.join(to, path.basename(file))
  return moveFile(file, aside) ? aside : null
}

/** Moves a file or directory to a name that is free; both are reached by open files of their directories. False when it cannot. */
export function moveFile(from: string, to: string): boolean {
  const moved = inDirectory(path.dirname(from), (source) =>
    inDirectory(path.dirname(to), (target) => {
      const [old, fresh] = [`${source}/${path.basename(from)}`, `${target}/${path.basename(to)}`]
      if (isThere(fresh)) return false
      try {
        withWriting(source, () => renameWhole(from, old, fresh))
      } catch (error) {
        const code = error instanceof Error && "code" in error ? error.code : undefined
        if (code === "ENOENT") return false
        if (code !== "EXDEV") throw error
        // Data and project are on two disks.
        cpSync(old, fresh, { recursive: true, verbatimSymlinks: true, filter: isPlainFile })
        rmSync(old, { recursive: true, force: true })
      }
      return true
    }),
  )
  return moved === true
}

/** A directory that is moved has to be writable itself. */
function renameWhole(file: string, old: string, fresh: string): void {
  try {
    renameSync(old, fresh)
  } catch (error) {
    if (!isRefusal(error) || !lstatSync(old).isDirectory()) throw error
    const isDone = inDirectory(file, (held) => {
      chmodSync(held, ownerAll)
      renameSync(old, fresh)
      return true
    })
    if (isDone === null) throw error
  }
}

/** A pipe or a socket says nothing, and cannot be copied. */
function isPlainFile(file: string): boolean {
  const facts = lstatSync(file)
  return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
}
