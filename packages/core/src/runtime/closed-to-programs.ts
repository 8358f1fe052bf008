import path from "node:path"
import type { ClosedFiles } from "../acts/sandbox/sandbox.ts"
import { isWithin } from "../ground/file/is-within.ts"
import { restrictedPatterns } from "../ground/rule/index.ts"
import { isOpenToAll, rulesForAll } from "../setup/agent/rules-for-all.ts"
import type { LoadedConfig } from "../setup/config/loaded-config.ts"

interface ClosedPlace {
  home: string
  /** Where the program works; real. */
  worktree: string
  /** The project's own checkout; real. */
  checkout: string
  /** Directories of it that a program reads although it works in another checkout. */
  beside: readonly string[]
  /** Real paths that are open all the same. */
  opened: readonly string[]
}

/**
 * The files of a project that a program may not read which works for no session: those that the rules for all agents ask
 * about or deny. Nobody could answer a question of it, and what it reads may leave by its network.
 */
export function closedToPrograms(
  loaded: Pick<LoadedConfig, "config" | "ceilings">,
  { home, worktree, checkout, beside, opened }: ClosedPlace,
): ClosedFiles {
  const forAll = rulesForAll(loaded, { home })
  const patterns = restrictedPatterns("read", [forAll.rules, ...forAll.ceilings])
  const nameOf = (file: string) => {
    const top = [worktree, checkout].find((directory) => path.isAbsolute(file) && isWithin(directory, file))
    return top === undefined ? file : path.relative(top, file)
  }
  const open = new Set(opened.map(nameOf))
  return {
    patterns:
      beside.length === 0 ? patterns : [...patterns, ...patterns.map((pattern) => path.join(checkout, pattern))],
    beside,
    async among(files) {
      return files.filter((file) => {
        const name = nameOf(file)
        return !open.has(name) && !isOpenToAll(name, forAll)
      })
    },
  }
}
