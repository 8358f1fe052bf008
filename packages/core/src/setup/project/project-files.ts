import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"
import { DocketError } from "../../ground/error/docket-error.ts"

/** ms; listings are cached, because completion asks at each key. */
const keepMs = 5_000
/** ms for a listing; files found by then are used. A pipe in place of an ignore file would block it forever. */
const listTimeout = 10_000
/** Most files read of one project. */
const maxFiles = 50_000

/** Lists and searches the files of a directory, as ripgrep sees them (ignored files left out). */
export interface ProjectFiles {
  /** @throws project_directory_missing */
  search(directory: string, query: string, limit: number): Promise<string[]>
}

export function createProjectFiles(deps: { ripgrep: string; clock: () => number; timeout?: number }): ProjectFiles {
  const kept = new Map<string, { files: Promise<string[]>; at: number }>()
  const filesOf = (directory: string) => {
    const known = kept.get(directory)
    if (known !== undefined && deps.clock() - known.at < keepMs) return known.files
    const files = listFiles(deps.ripgrep, directory, deps.timeout ?? listTimeout)
    kept.set(directory, { files, at: deps.clock() })
    files.catch(() => kept.delete(directory))
    return files
  }
  return {
    async search(directory, query, limit) {
      const files = await filesOf(directory)
      const ranked = files.flatMap((file) => {
        const rank = rankFile(file, query)
        return rank === null ? [] : [{ file, rank }]
      })
      ranked.sort((a, b) => a.rank - b.rank || a.file.length - b.file.length || (a.file < b.file ? -1 : 1))
      return ranked.slice(0, limit).map(({ file }) => file)
    },
  }
}

/** Smaller is better; null when the letters of `query` do not occur in order. */
export function rankFile(file: string, query: string): number | null {
  if (query === "") return 0
  const path = file.toLowerCase()
  const searched = query.toLowerCase()
  const name = path.slice(path.lastIndexOf("/") + 1)
  if (name.startsWith(searched)) return 1
  if (name.includes(searched)) return 2
  if (path.includes(searched)) return 3
  let at = -1
  for (const letter of searched) {
    at = path.indexOf(letter, at + 1)
    if (at < 0) return null
  }
  return 4
}

function listFiles(ripgrep: string, directory: string, timeout: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(ripgrep, ["--no-config", "--files", "--hidden", "--glob", "!.git"], {
      cwd: directory,
      stdio: ["ignore", "pipe", "ignore"],
      timeout,
    })
    const files: string[] = []
    const lines = createInterface({ input: child.stdout })
    lines.on("line", (line) => {
      files.push(line)
      if (files.length >= maxFiles) child.kill()
    })
    child.once("error", (error) => {
      if (existsSync(directory)) reject(error)
      else reject(new DocketError("project_directory_missing", `There is no directory ${directory}. Was it moved?`))
    })
    child.once("close", () => resolve(files))
  })
}
