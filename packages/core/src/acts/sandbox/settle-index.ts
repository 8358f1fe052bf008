import { lstatSync } from "node:fs"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"
import { projectGit } from "../../ground/git/project-git.ts"

/** ms */
const second = 1_000
const timeout = 10_000
const maxPointer = 4_096
/** ms: by so much the time of a file can lie before that of the clock. */
const clockSlack = 20

interface SettleDeps {
  env: Readonly<Record<string, string | undefined>>
  clock(): number
}

/**
 * Git reads a tracked file again that changed in the second in which its index was written or later, and takes one for
 * changed that it cannot read. So before a command finds files closed, git looks at them once and writes its index anew.
 * @returns what does so for files of a worktree, absolute ones; a second time only after another change
 */
export function createSettleIndex({
  env,
  clock,
}: SettleDeps): (worktree: string, files: readonly string[]) => Promise<void> {
  const settled = new Map<string, string>()
  const settle = async (repository: string, files: readonly string[]) => {
    const index = indexOf(repository)
    const written = index === null ? null : changeOf(index)
    if (index === null || written === null) return
    const young = files.filter((file) => inSeconds(changeOf(file) ?? 0) >= inSeconds(written))
    const last = Math.max(...young.map((file) => changeOf(file) ?? 0))
    if (young.length === 0 || settled.get(repository) === `${written} ${last}`) return
    const now = clock()
    if (inSeconds(last) === inSeconds(now)) await delay(second - (now % second) + clockSlack)
    const args = ["status", "--porcelain", "-z", "--untracked-files=no", "--", ...young]
    const variables = { GIT_OPTIONAL_LOCKS: "1", GIT_LITERAL_PATHSPECS: "1" }
    // Where it fails, a file may be shown as changed; it is not committed all the same.
    await projectGit({ directory: repository, env, timeout, variables }, args).catch(() => {})
    settled.set(repository, `${changeOf(index)} ${last}`)
  }
  return async (worktree, files) => {
    const byRepository = Map.groupBy(files, (file) => repositoryOf(file, worktree))
    for (const [repository, own] of byRepository) if (repository !== null) await settle(repository, own)
  }
}

/** The top of the repository in which a file lies, not above the worktree; null for none. */
function repositoryOf(file: string, worktree: string): string | null {
  if (!isWithin(worktree, file)) return null
  const above = directoriesBetween(worktree, path.dirname(file)).toReversed()
  return above.find((directory) => changeOf(path.join(directory, ".git")) !== null) ?? null
}

/** The file in which git keeps what is tracked; null where there is none. */
function indexOf(repository: string): string | null {
  const dotGit = path.join(repository, ".git")
  try {
    if (lstatSync(dotGit).isDirectory()) return path.join(dotGit, "index")
    const named = /^gitdir: (.+)$/m.exec(readBoundedFileSync(dotGit, maxPointer).toString())?.[1]
    return named === undefined ? null : path.resolve(repository, named.trim(), "index")
  } catch {
    return null
  }
}

function inSeconds(time: number): number {
  return Math.floor(time / second)
}

/** Epoch ms; null where nothing is. */
function changeOf(file: string): number | null {
  try {
    return lstatSync(file).mtimeMs
  } catch {
    return null
  }
}
