import { dirname, join } from "node:path"
import { fileStamp } from "../../ground/file/file-stamp.ts"
import { listTimeout, type SnapshotRepository } from "./snapshot-repository.ts"
import { names, trackedFiles } from "./tracked-files.ts"

/** Tells which files a snapshot of everything would hold. */
export type KeptPaths = (paths: string[]) => Promise<string[]>

/** Answers that are remembered. */
const maxAnswers = 10_000

/**
 * Of some paths, those that a snapshot of everything would hold: not ignored, or tracked in spite of it, and in no
 * other repository. git is asked once for each, and again when a `.gitignore` above it or the project's index changed;
 * lists outside the worktree count as they were then.
 */
export function createKeptPaths(repository: SnapshotRepository): KeptPaths {
  const answers = new Map<string, { version: string; isKept: boolean }>()
  return async (paths) => {
    const versions = new Map(
      await Promise.all(paths.map(async (path) => [path, await rulesVersion(repository, path)] as const)),
    )
    const open = paths.filter((path) => answers.get(path)?.version !== versions.get(path))
    if (open.length > 0) {
      const kept = await ask(repository, open)
      if (answers.size > maxAnswers) answers.clear()
      for (const path of open) answers.set(path, { version: versions.get(path) ?? "", isKept: kept.has(path) })
    }
    return paths.filter((path) => answers.get(path)?.isKept)
  }
}

async function ask(repository: SnapshotRepository, paths: string[]): Promise<Set<string>> {
  const own: string[] = []
  for (const path of paths) if (!(isOfGit(path) || (await isInOther(repository, path)))) own.push(path)
  if (own.length === 0) return new Set()
  // A name may begin as git's pathspecs with magic do (`:`).
  const input = own.map((path) => `./${path}`).join("\0")
  const answer = await repository.git(["check-ignore", "-z", "--stdin"], {
    input,
    answers: [noneIgnored],
    timeout: listTimeout,
  })
  const ignored = names(answer).map((path) => path.slice(2))
  const tracked = ignored.length > 0 ? await trackedFiles(repository, ignored) : new Set()
  return new Set(own.filter((path) => !ignored.includes(path) || tracked.has(path)))
}

/** What git keeps for itself is part of no snapshot, however its name is written (git's `verify_path`). */
function isOfGit(path: string): boolean {
  return path.split("/").some((name) => name.toLowerCase() === ".git")
}

/** Exit code of `git check-ignore`. */
const noneIgnored = 1

async function isInOther({ worktree }: SnapshotRepository, path: string): Promise<boolean> {
  for (const directory of above(path).slice(1)) {
    if ((await fileStamp(join(worktree, directory, ".git"))) !== "none") return true
  }
  return false
}

/** Changes when the answer for a path may: with the lists of its directories, with repositories that came, and the index. */
async function rulesVersion({ worktree, projectIndex }: SnapshotRepository, path: string): Promise<string> {
  const lists = above(path).map((directory) => join(worktree, directory, ".gitignore"))
  const others = above(path)
    .slice(1)
    .map((directory) => join(worktree, directory, ".git"))
  return (await Promise.all([...lists, ...others, projectIndex].map(fileStamp))).join()
}

/** The directories that a path lies in, the top one (`.`) first. */
function above(path: string): string[] {
  const directory = dirname(path)
  return directory === "." ? ["."] : [...above(directory), directory]
}
