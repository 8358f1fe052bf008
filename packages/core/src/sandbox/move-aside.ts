import { cpSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs"
import path from "node:path"
import { inDirectory } from "./held-directory.ts"

/**
 * Moves a file or directory to a place that no program of a sandbox sees.
 * @param to a directory that is not there yet
 * @returns where it is now; null when it was gone
 */
export function moveAside(file: string, to: string): string | null {
  const name = path.basename(file)
  const aside = path.join(to, name)
  return inDirectory(path.dirname(file), (held) => {
    mkdirSync(to, { recursive: true, mode: 0o700 })
    try {
      renameSync(`${held}/${name}`, aside)
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined
      if (code === "ENOENT") return null
      if (code !== "EXDEV") throw error
      // Data and project are on two disks.
      cpSync(`${held}/${name}`, aside, { recursive: true, verbatimSymlinks: true, filter: isPlainFile })
      rmSync(`${held}/${name}`, { recursive: true, force: true })
    }
    return aside
  })
}

/** A pipe or a socket says nothing, and cannot be copied. */
function isPlainFile(file: string): boolean {
  const facts = lstatSync(file)
  return facts.isFile() || facts.isDirectory() || facts.isSymbolicLink()
}
