import { lstatSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import path from "node:path"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"

/** By these, in one of its directories, git finds its settings elsewhere: `gitrepository-layout(5)`. */
const names = ["commondir", "config.worktree"]
/** Bytes of one that is put back. */
const maxBytes = 64 * 1024

/**
 * Remembers where git finds its settings. They are hardly ever there, and what is not there cannot be shown as something
 * to be read only: so a program may write them, and it is undone.
 * @param directories of git: of a repository, its worktrees and submodules
 * @returns puts back what was; for when no program can write there any more
 */
export function holdGitPointers(directories: readonly string[]): () => void {
  const before = directories
    .flatMap((directory) => names.map((name) => path.join(directory, name)))
    .map((file) => ({ file, content: contentOf(file) }))
  return () => {
    for (const { file, content } of before) {
      if (!isItself(path.dirname(file)) || content === undefined || isSame(content, contentOf(file))) continue
      rmSync(file, { recursive: true, force: true })
      if (content !== null) writeFileSync(file, content, { flag: "wx" })
    }
  }
}

/** Null where nothing is; undefined where it is no small file. */
function contentOf(file: string): Buffer | null | undefined {
  const facts = lstatSync(file, { throwIfNoEntry: false })
  if (facts === undefined) return null
  if (!facts.isFile()) return undefined
  try {
    return readBoundedFileSync(file, maxBytes)
  } catch {
    return undefined
  }
}

function isSame(before: Buffer | null, after: Buffer | null | undefined): boolean {
  return before === null ? after === null : Buffer.isBuffer(after) && before.equals(after)
}

/** Whether a directory is there by exactly this name: through a link, something else would be changed. */
function isItself(directory: string): boolean {
  try {
    return realpathSync(directory) === directory
  } catch {
    return false
  }
}
