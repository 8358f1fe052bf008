import { access, constants, lstat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { fileStamp } from "../../ground/file/file-stamp.ts"
import { maxUntracked, unkeptState } from "./keep-file.ts"
import { TooMuchToKeep } from "./snapshot-error.ts"
import { listTimeout, type SnapshotRepository } from "./snapshot-repository.ts"
import { names, trackedFiles } from "./tracked-files.ts"
import type { FileState } from "./tree-changes.ts"

/** A directory with more files of that kind is no project: a home directory in git, say. */
const maxUntrackedFiles = 20_000

/** What a project tracks although it ignores it, as it was with one state of the project's index. */
export interface TrackedIgnored {
  index: string
  paths: string[]
}

/** What the next call has to know. */
export interface KnownSnapshot {
  ignored: TrackedIgnored
  /** The tree names files that are too large to keep, which the index does not. */
  hasUnkept: boolean
}

export interface TakenSnapshot extends KnownSnapshot {
  /** The tree's hash, or null when nothing changed since the last call on this index. */
  hash: string | null
}

/**
 * Takes the files of the worktree into the index and writes a tree of it: tracked files, and others that are
 * not ignored. Reads only what changed since the last time.
 * @throws SnapshotError; TooMuchToKeep when there is too much that the project does not track
 */
export async function takeSnapshot(
  repository: SnapshotRepository,
  known: KnownSnapshot | null,
): Promise<TakenSnapshot> {
  const before = known?.ignored ?? null
  const [seen, listed] = await Promise.all([
    repository.git(["ls-files", "-z", "-o", "-m", "-d", "--exclude-standard"], { timeout: listTimeout }).then(names),
    trackedIgnored(repository, before),
  ])
  const isListed = listed !== before || !seen.some((path) => basename(path) === ".gitignore")
  const ignored = isListed ? listed : await trackedIgnored(repository, null)
  const paths = new Set([...seen, ...ignored.paths])
  if (paths.size === 0 && known?.hasUnkept !== true) return { hash: null, ignored, hasUnkept: false }
  return { ...(await takePaths(repository, paths)), ignored }
}

/** Asks git only when the project's index has changed since, or the repository is not there any more. */
async function trackedIgnored(repository: SnapshotRepository, known: TrackedIgnored | null): Promise<TrackedIgnored> {
  const { projectIndex } = repository
  const index = (await Promise.all([projectIndex, join(dirname(projectIndex), "HEAD")].map(fileStamp))).join()
  if (index === known?.index) return known
  return { index, paths: names(await repository.project(["ls-files", "-z", "-c", "-i", "--exclude-standard"])) }
}

async function takePaths(repository: SnapshotRepository, paths: Set<string>) {
  if (paths.size > maxUntrackedFiles) await requireFewUntracked(repository, paths)
  const { kept, unkept } = await sort(repository, paths)
  if (unkept.size > 0) await noteUnkept(repository, unkept)
  if (kept.length > 0) await add(repository, kept)
  const hash = (await repository.git(["write-tree"])).toString().trim()
  if (unkept.size > 0) await forgetUnkept(repository, unkept)
  return { hash, hasUnkept: unkept.size > 0 }
}

async function requireFewUntracked(repository: SnapshotRepository, paths: Set<string>): Promise<void> {
  const tracked = await trackedFiles(repository)
  const untracked = [...paths].filter((path) => !tracked.has(path)).length
  if (untracked <= maxUntrackedFiles) return
  throw new TooMuchToKeep(
    `${repository.worktree} holds ${untracked} files that git neither tracks nor ignores. Undo keeps at most ${maxUntrackedFiles}: name what is not part of the project in .gitignore.`,
  )
}

async function sort(repository: SnapshotRepository, paths: Set<string>) {
  const kept: string[] = []
  const large = new Map<string, FileState>()
  for (const path of paths) {
    const facts = await lstat(join(repository.worktree, path)).catch(() => null)
    if (facts?.isFile() && facts.size > maxUntracked) large.set(path, unkeptState(repository, facts))
    else kept.push(path)
  }
  if (large.size === 0) return { kept, unkept: large }
  const tracked = await trackedFiles(repository)
  for (const path of [...large.keys()].filter((path) => tracked.has(path))) {
    kept.push(path)
    large.delete(path)
  }
  return { kept, unkept: large }
}

async function noteUnkept(repository: SnapshotRepository, unkept: Map<string, FileState>): Promise<void> {
  const lines = [...unkept].map(([path, { mode, hash }]) => `${mode} ${hash}\t${path}\0`)
  await repository.git(["update-index", "-z", "--replace", "--index-info"], { input: lines.join("") })
}

/** Git takes a directory in such a place for a repository of its own, and would not list what came to lie in it. */
async function forgetUnkept(repository: SnapshotRepository, unkept: Map<string, FileState>): Promise<void> {
  await repository.git(["update-index", "-z", "--force-remove", "--stdin"], { input: [...unkept.keys()].join("\0") })
}

async function add(repository: SnapshotRepository, paths: string[]): Promise<void> {
  const update = (list: string[]) =>
    repository.git(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { input: list.join("\0") })
  try {
    await update(paths)
  } catch {
    // A file that cannot be read ends git, and so does a submodule that was not fetched: without them the others are kept.
    await update(await readable(repository, paths))
  }
}

async function readable(repository: SnapshotRepository, paths: string[]): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    const file = join(repository.worktree, path)
    const facts = await lstat(file).catch(() => null)
    const denied =
      facts?.isFile() &&
      (await access(file, constants.R_OK).then(
        () => false,
        () => true,
      ))
    if (!(denied || facts?.isDirectory())) found.push(path)
  }
  return found
}
