import { createHash } from "node:crypto"
import { lstat, readFile, readlink } from "node:fs/promises"
import { join } from "node:path"
import type { FileContent } from "../../acts/tool/tool.ts"
import { hasStamp } from "../../ground/file/file-stamp.ts"
import { hasPlainParents } from "./plain-parents.ts"
import type { SnapshotRepository } from "./snapshot-repository.ts"
import { trackedFiles } from "./tracked-files.ts"
import { type FileState, unkeptMode } from "./tree-changes.ts"
import { gitObject, writeObject } from "./write-object.ts"

/** Files that the project does not track are kept up to this size (bytes): what a build left would fill the disk. */
export const maxUntracked = 2 * 1024 * 1024

/**
 * Keeps one file as it is now, as a snapshot of everything would; null when there is none. Not read if it still is what
 * `known` holds.
 */
export async function keepFile(
  repository: SnapshotRepository,
  path: string,
  known?: FileContent,
): Promise<FileState | null> {
  const file = join(repository.worktree, path)
  if (known !== undefined && known.bytes.length <= maxUntracked && (await hasStamp(file, known.stamp))) {
    return { mode: modeOf(known), hash: await keepContent(repository, known.bytes) }
  }
  const facts = await lstat(file).catch(() => null)
  // Beyond a link nothing is the project's, as for git.
  if (facts === null || !(await hasPlainParents(repository.worktree, path))) return null
  if (facts.isSymbolicLink()) {
    return { mode: "120000", hash: await keepContent(repository, Buffer.from(await readlink(file))) }
  }
  if (!facts.isFile()) return null
  if (facts.size > maxUntracked && !(await trackedFiles(repository, [path])).has(path)) {
    return unkeptState(repository, facts)
  }
  return { mode: modeOf(facts), hash: await keepContent(repository, await readFile(file)) }
}

function modeOf({ mode }: { mode: number }): string {
  return (mode & 0o100) === 0 ? "100644" : "100755"
}

async function keepContent(repository: SnapshotRepository, content: Buffer): Promise<string> {
  const blob = gitObject(repository, "blob", content)
  await writeObject(repository, blob)
  return blob.name
}

/** What stands in a snapshot for a file that is too large: a mark of its size and time, so that a change is still seen. */
export function unkeptState(
  { hashLength }: Pick<SnapshotRepository, "hashLength">,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): FileState {
  const hash = createHash("sha256").update(`${size}:${mtimeMs}`).digest("hex").slice(0, hashLength)
  return { mode: unkeptMode, hash }
}
