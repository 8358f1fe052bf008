import { createHash } from "node:crypto"
import { access, constants, lstat } from "node:fs/promises"
import { join } from "node:path"
import { TooMuchToKeep } from "./snapshot-error.ts"
import type { SnapshotRepository } from "./snapshot-repository.ts"
import { unkeptMode } from "./tree-changes.ts"

/** Files that the project does not track are kept up to this size (bytes): what a build left would fill the disk. */
const maxUntracked = 2 * 1024 * 1024

/** A directory with more files of that kind is no project: a home directory in git, say. */
const maxUntrackedFiles = 20_000
/** Longest time (ms) for finding what changed. */
const listTimeout = 20_000

/**
 * Takes the files of the worktree into the index and writes a tree of it: tracked files, and others that are
 * not ignored. Reads only what changed since the last time.
 * @returns the tree's hash, or null when nothing changed since the last call on this index
 * @throws SnapshotError; TooMuchToKeep when there is too much that the project does not track
 */
export async function takeSnapshot(repository: SnapshotRepository): Promise<string | null> {
  const [seen, ignored] = await Promise.all([
    repository.git(["ls-files", "-z", "-o", "-m", "-d", "--exclude-standard"], { timeout: listTimeout }),
    // What a project tracks although it ignores it.
    repository.project(["ls-files", "-z", "-c", "-i", "--exclude-standard"]),
  ])
  const paths = new Set([...names(seen), ...names(ignored)])
  if (paths.size === 0) return null
  if (paths.size > maxUntrackedFiles) await requireFewUntracked(repository, paths)
  const { kept, unkept } = await sort(repository, paths)
  if (unkept.size > 0) await noteUnkept(repository, unkept)
  if (kept.length > 0) await add(repository, kept)
  return (await repository.git(["write-tree"])).toString().trim()
}

async function trackedFiles(repository: SnapshotRepository): Promise<Set<string>> {
  return new Set(names(await repository.project(["ls-files", "-z", "--full-name", ":/"])))
}

async function requireFewUntracked(repository: SnapshotRepository, paths: Set<string>): Promise<void> {
  const tracked = await trackedFiles(repository)
  const untracked = [...paths].filter((path) => !tracked.has(path)).length
  if (untracked <= maxUntrackedFiles) return
  throw new TooMuchToKeep(
    `${repository.worktree} holds ${untracked} files that git neither tracks nor ignores. Undo keeps at most ${maxUntrackedFiles}: name what is not part of the project in .gitignore.`,
  )
}

/** Paths end with `/` where a repository lies in the repository: it keeps its own history. */
function names(output: Buffer): string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((path) => path !== "" && !path.endsWith("/"))
}

async function sort(repository: SnapshotRepository, paths: Set<string>) {
  const kept: string[] = []
  const large = new Map<string, string>()
  for (const path of paths) {
    const facts = await lstat(join(repository.worktree, path)).catch(() => null)
    if (facts?.isFile() && facts.size > maxUntracked) large.set(path, `${facts.size}:${facts.mtimeMs}`)
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

/** A large file stands in the snapshot as a mark of its size and time, so that a change of it is still seen. */
async function noteUnkept(repository: SnapshotRepository, unkept: Map<string, string>): Promise<void> {
  const lines = [...unkept].map(([path, facts]) => {
    const hash = createHash("sha256").update(facts).digest("hex").slice(0, repository.hashLength)
    return `${unkeptMode} ${hash}\t${path}\0`
  })
  await repository.git(["update-index", "-z", "--replace", "--index-info"], { input: lines.join("") })
}

async function add(repository: SnapshotRepository, paths: string[]): Promise<void> {
  const update = (list: string[]) =>
    repository.git(["update-index", "-z", "--add", "--remove", "--replace", "--stdin"], { input: list.join("\0") })
  try {
    await update(paths)
  } catch {
    // A file that cannot be read ends git: without such files the others are kept.
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
    if (!denied) found.push(path)
  }
  return found
}
