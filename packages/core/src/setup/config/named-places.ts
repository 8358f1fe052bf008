import { realpath, stat } from "node:fs/promises"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"

/** A place that the user lets a program of their own change. @throws Error when it is not there */
export async function writablePlace(
  named: string,
  { worktree, home }: { worktree: string; home: string },
): Promise<string> {
  const place = path.resolve(worktree, named.replace(/^~(?=\/|$)/, home))
  return realpath(place).catch((cause: unknown) => {
    throw new Error(`${named} of "writable" is not there: make it, or take it out.`, { cause })
  })
}

/** Words of a command that are looked at. */
const mostWords = 50

/** The files that the user's own command names. */
export async function namedFiles(command: readonly string[], cwd: string): Promise<string[]> {
  const found = wordsOf(command).map((word) => realpath(path.resolve(cwd, word)).catch(() => null))
  return (await Promise.all(found)).filter((file) => file !== null)
}

function wordsOf(command: readonly string[]): string[] {
  return command.slice(0, mostWords).map((word) => word.replace(/^--?[\w-]+=/, ""))
}

/** What the user's own command names: directories, and files with the package that they belong to. */
export async function namedPlaces(
  command: readonly string[],
  { cwd, home }: { cwd: string; home: string },
): Promise<string[]> {
  const named = wordsOf(command).filter((word) => word.includes("/") && !word.includes("://"))
  const found = named.map(async (word) => {
    try {
      const real = await realpath(path.resolve(cwd, word))
      return (await stat(real)).isDirectory() ? [real] : [await placeOfFile(real, home)]
    } catch {
      // Most words are no paths.
      return []
    }
  })
  return [...new Set((await Promise.all(found)).flat())]
}

const manifests = ["package.json", "pyproject.toml", "go.mod", "Cargo.toml"]

/** The outermost package of a file with what it depends on, else its directory; never one that holds the home. */
async function placeOfFile(file: string, home: string): Promise<string> {
  const holdsHome = (directory: string) => isWithin(directory, home)
  const parts = file.split(path.sep)
  const modules = parts.indexOf("node_modules")
  if (modules > 0) return parts.slice(0, modules + 1).join(path.sep)
  const above = parts.slice(1, -1).map((_, at) => parts.slice(0, at + 2).join(path.sep))
  for (const directory of above.filter((one) => !holdsHome(one))) {
    const there = await Promise.allSettled(manifests.map((name) => stat(path.join(directory, name))))
    if (there.some(({ status }) => status === "fulfilled")) return directory
  }
  const directory = path.dirname(file)
  return holdsHome(directory) ? file : directory
}
