import { lstat, mkdir, readdir, rename, rmdir, symlink, unlink } from "node:fs/promises"
import { dirname, join } from "node:path"
import { writeAtomic } from "../../acts/tool/checked-file.ts"
import type { LeftFile } from "../../ground/schema/index.ts"
import { hasPlainParents } from "./plain-parents.ts"
import { readBlobs } from "./read-blobs.ts"
import type { SnapshotRepository } from "./snapshot-repository.ts"
import { type FileChange, type FileState, unkeptMode } from "./tree-changes.ts"

export interface MovedFiles {
  /** Files that are now as they should be. */
  moved: string[]
  left: LeftFile[]
}

/** Files that are written before the next ones are read. */
const chunkSize = 100

/**
 * Brings files from one state to another, each by itself: deletions first, then what is to be written, each
 * atomically. A file in the way that no snapshot knows (an ignored one, say) and a directory stay untouched.
 */
export async function moveFiles(repository: SnapshotRepository, changes: FileChange[]): Promise<MovedFiles> {
  const result: MovedFiles = { moved: [], left: [] }
  const leave = (path: string, reason: LeftFile["reason"]) => result.left.push({ path, reason })
  const movable = changes.filter(({ path, from, to }) => {
    const unkept = from?.mode === unkeptMode || to?.mode === unkeptMode
    if (unkept) leave(path, "too_large")
    return !unkept
  })
  for (const { path, to } of movable) {
    if (to !== null) continue
    if (await removeFile(repository.worktree, path)) result.moved.push(path)
    else leave(path, "blocked")
  }
  const written = movable.flatMap(({ path, from, to }) => (to === null ? [] : [{ path, from, to }]))
  for (let at = 0; at < written.length; at += chunkSize) {
    const chunk = written.slice(at, at + chunkSize)
    const blobs = await readBlobs(repository, [...new Set(chunk.map(({ to }) => to.hash))])
    for (const { path, from, to } of chunk) {
      const content = blobs.get(to.hash)
      if (content === undefined) leave(path, "expired")
      else if (from === null && (await exists(join(repository.worktree, path)))) leave(path, "changed")
      else if (await writeFile(repository.worktree, path, { to, content })) result.moved.push(path)
      else leave(path, "blocked")
    }
  }
  return result
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => null)) !== null
}

/** Removes a file and the directories above it that are empty then, as git does. */
async function removeFile(worktree: string, path: string): Promise<boolean> {
  const file = join(worktree, path)
  const facts = await lstat(file).catch(() => null)
  if (facts === null) return true
  if (facts.isDirectory() || !(await hasPlainParents(worktree, path))) return false
  try {
    await unlink(file)
  } catch {
    return false
  }
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    const entries = await readdir(join(worktree, parent)).catch(() => ["?"])
    if (entries.length > 0 || !(await removed(join(worktree, parent)))) break
  }
  return true
}

async function removed(directory: string): Promise<boolean> {
  return rmdir(directory).then(
    () => true,
    () => false,
  )
}

async function writeFile(
  worktree: string,
  path: string,
  { to, content }: { to: FileState; content: Buffer },
): Promise<boolean> {
  const file = join(worktree, path)
  if (!(await hasPlainParents(worktree, path)) || (await lstat(file).catch(() => null))?.isDirectory()) return false
  try {
    if (to.mode === "120000") await writeLink(file, content.toString("utf8"))
    else await writeAtomic(file, content, { mode: await modeOf(file, to.mode === "100755") })
    return true
  } catch {
    // No permission, a full disk, a parent that was swapped: the person is told which file it is.
    return false
  }
}

/** The mode of the file that is there, with the right to execute as it was. New files get the usual one. */
async function modeOf(file: string, executable: boolean): Promise<number | null> {
  const facts = await lstat(file).catch(() => null)
  if (!facts?.isFile()) return executable ? 0o755 : null
  const mode = facts.mode & 0o777
  // Who may read it may execute it.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111
}

async function writeLink(file: string, target: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const temporary = `${file}.docket-link`
  await symlink(target, temporary)
  await rename(temporary, file)
}
