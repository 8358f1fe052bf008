import { createHash } from "node:crypto"
import path from "node:path"
import { UnfitFileError } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"

/** Most files that one loads, paths that it names, and bytes of a file. */
const most = { loaded: 100, named: 1_000, bytes: 1024 * 1024 } as const
/** What is read of all files of a project together before anybody trusts it. */
const mostOfProject = { paths: 10_000, bytes: 64 * 1024 * 1024 } as const
const moduleEndings = ["", ".ts", ".js", ".mts", ".mjs", ".json", "/index.ts", "/index.js"]
/** Relative paths in `import`, `export … from`, `import()` and `require()`. */
const relativeImport = /\b(?:from|import|require)\s*(?:\(\s*)?["'](\.{1,2}\/[^"'\n]+)["']/g

interface ModuleText {
  text: string
  /** Real path. */
  real: string
}

/** What may still be read of a project. */
export interface ReadingBudget {
  /** Whether there is a file or not. */
  paths: number
  bytes: number
}

export function createReadingBudget(): ReadingBudget {
  return { ...mostOfProject }
}

/**
 * The text of a file that is to run. @param within the directory in which it has to lie; null for any
 * @throws Error whose message goes on after the file's name
 */
export async function readModuleText(
  file: string,
  within: string | null,
  budget: ReadingBudget = createReadingBudget(),
): Promise<ModuleText> {
  if (budget.paths <= 0 || budget.bytes <= 0) throw new UnfitFileError(tooMuch)
  budget.paths -= 1
  const { bytes, real, size } = await readWithin(within, file, most.bytes)
  if (size > most.bytes) throw new Error(`is larger than ${most.bytes} bytes, the most that is read`)
  budget.bytes -= size
  return { text: bytes.toString("utf8"), real }
}

const tooMuch = `is not read: of such files of a project, and of those that they load, at most ${mostOfProject.bytes / 1024 ** 2} MiB are`

/** The files of the project that a file loads by relative paths, as far as its text shows. */
export async function filesLoadedBy(
  first: ModuleText,
  within: string,
  budget: ReadingBudget = createReadingBudget(),
): Promise<{ file: string; sha256: string }[]> {
  const seen = new Map<string, string>()
  const named = new Set<string>()
  const waiting = [first]
  for (let next = waiting.pop(); next !== undefined && seen.size < most.loaded; next = waiting.pop()) {
    for (const [, specifier = ""] of next.text.matchAll(relativeImport)) {
      const target = path.resolve(path.dirname(next.real), specifier)
      if (named.has(target)) continue
      if (named.size === most.named || seen.size === most.loaded) break
      named.add(target)
      const read = await readModule(target, within, budget)
      if (read === null || read.real === first.real || seen.has(read.real)) continue
      seen.set(read.real, sha256Of(read.text))
      waiting.push(read)
    }
  }
  return [...seen].map(([file, sha256]) => ({ file, sha256 }))
}

async function readModule(file: string, within: string, budget: ReadingBudget): Promise<ModuleText | null> {
  const ways = [...moduleEndings.map((ending) => file + ending), file.replace(/\.js$/, ".ts")]
  for (const way of ways) {
    const read = await readModuleText(way, within, budget).catch(() => null)
    if (read !== null) return read
  }
  return null
}

/** SHA-256 (hex). */
export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
