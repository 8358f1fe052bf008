import { glob } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { isInstructionAddress } from "../config/fill-in-config.ts"
import { foreignDirectories } from "./nested-directories.ts"

/** Files that one pattern may add, files that all of a project may, and names that are looked at for one pattern. */
const limits = { each: 20, all: 100, seen: 10_000 }

/** Files that a pattern stands for, in the order of their names; the path itself where it is no pattern. */
export async function expandPattern(pattern: string): Promise<string[]> {
  if (!isPattern(pattern)) return [pattern]
  let seen = 0
  // A stranger's pattern is looked for before anybody trusts it, so it may not walk through all that is installed.
  const exclude = (path: string) => {
    const name = basename(path)
    return ++seen > limits.seen || (foreignDirectories.has(name) && !pattern.includes(name))
  }
  const paths: string[] = []
  for await (const path of glob(pattern, { exclude })) {
    paths.push(path)
    if (paths.length === limits.each) break
  }
  return paths.sort()
}

/** Whether a name stands for several files. */
const isPattern = (name: string) => /[*?[{]/.test(name)

/**
 * The files in a project that patterns name, each with these patterns, in their order.
 * @param top the project's top as the patterns write it, and its real path
 */
export async function findNamed(
  top: { named: string; real: string },
  patterns: readonly string[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const pattern of patterns) {
    if (isInstructionAddress(pattern) || !isWithin(top.named, pattern)) continue
    // Alternatives of a pattern may lead out again.
    const inside = (await expandPattern(pattern)).filter((path) => isWithin(top.named, path))
    for (const path of inside) {
      const file = join(top.real, relative(top.named, path))
      const by = found.get(file)
      if (by !== undefined) by.push(pattern)
      else if (found.size < limits.all) found.set(file, [pattern])
    }
  }
  return found
}
