import { lstatSync, readdirSync, realpathSync } from "node:fs"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"
import type { Mount } from "./mount.ts"

/** The most bytes of a file in which git's directories name each other. */
const maxPointer = 4_096
/** How many submodules and worktrees are checked. */
const maxEntries = 100

/**
 * Mounts git's own directory of a worktree: writable, except hooks and settings, which can start programs. When the
 * worktree only points to it, both must name each other, so that a changed `.git` opens no other place.
 */
export function gitMounts(worktree: string, worktreesRoot: string): Mount[] {
  const common = commonDirectory(worktree)
  if (common === null) return []
  const modules = entriesOf(path.join(common, "modules")).map((name) => path.join(common, "modules", name))
  return [
    { kind: "held-write", path: common },
    ...[common, ...modules].flatMap(guardsOf),
    ...taskWorktrees(common, worktreesRoot)
      .filter((place) => place !== worktree)
      .map(toWrite),
  ]
}

/** The git directories of a worktree: that of the repository, and those of its submodules and worktrees. */
export function gitDirectories(worktree: string): string[] {
  const common = commonDirectory(worktree)
  if (common === null) return []
  const inside = ["modules", "worktrees"].map((name) => path.join(common, name))
  return [common, ...inside.flatMap((place) => entriesOf(place).map((name) => path.join(place, name)))]
}

/** The git directory of a repository, also for a linked worktree; null when there is none. */
export function commonDirectory(worktree: string): string | null {
  const dotGit = path.join(worktree, ".git")
  const facts = lstatSync(dotGit, { throwIfNoEntry: false })
  if (facts?.isDirectory()) return dotGit
  const own = facts?.isFile() ? pointer(dotGit, /^gitdir: (.+)$/m, worktree) : null
  if (own === null || pointer(path.join(own, "gitdir"), /^(.+)$/m, own) !== dotGit) return null
  const common = pointer(path.join(own, "commondir"), /^(.+)$/m, own)
  return common !== null && path.dirname(own) === path.join(common, "worktrees") ? common : null
}

function guardsOf(directory: string): Mount[] {
  const hooks = path.join(directory, "hooks")
  const hasHooks = lstatSync(hooks, { throwIfNoEntry: false }) !== undefined
  return [
    { kind: "held-read", path: path.join(directory, "config") },
    { kind: "held-read", path: path.join(directory, "config.worktree") },
    hasHooks ? { kind: "held-read", path: hooks } : { kind: "shut-directory", path: hooks },
  ]
}

/** Worktrees of tasks of this repository. */
function taskWorktrees(common: string, root: string): string[] {
  return entriesOf(path.join(common, "worktrees")).flatMap((name) => {
    const own = path.join(common, "worktrees", name)
    const dotGit = pointer(path.join(own, "gitdir"), /^(.+)$/m, own)
    if (dotGit === null || !isWithin(root, dotGit)) return []
    const directory = path.dirname(dotGit)
    return pointer(dotGit, /^gitdir: (.+)$/m, directory) === own ? [directory] : []
  })
}

/** The path in a file; null when there is none or it goes through a link. */
function pointer(file: string, pattern: RegExp, from: string): string | null {
  try {
    const named = pattern.exec(readBoundedFileSync(file, maxPointer).toString())?.[1]
    if (named === undefined) return null
    const raw = named.trim()
    const place = realpathSync.native(path.isAbsolute(raw) ? raw : `${from}/${raw}`)
    return place === path.resolve(from, raw) ? place : null
  } catch {
    return null
  }
}

function toWrite(directory: string): Mount {
  return { kind: "write", path: directory }
}

function entriesOf(directory: string): string[] {
  try {
    return readdirSync(directory).slice(0, maxEntries)
  } catch {
    return []
  }
}
