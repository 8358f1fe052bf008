import { createHash } from "node:crypto"
import { lstat } from "node:fs/promises"
import type { Journal } from "../../ground/event/journal.ts"
import { settledStamp, stampOf } from "../../ground/file/file-stamp.ts"
import { readBoundedFile } from "../../ground/file/read-bounded-file.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { DiffScope, Session, Task } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** A file, and the task or turn whose changes are meant. */
export interface DiffedFile {
  scope: DiffScope
  path: string
}

export interface ReviewsDeps {
  store: Store
  journal: Pick<Journal, "commit">
  createID: CreateId
  /** Epoch ms. */
  clock: () => number
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Session>
  /** The pieces of each file's diff, oldest first; null for a diff that is not stored. */
  patchesOf(rootID: string, files: readonly DiffedFile[]): Promise<(string | null)[][]>
  /** Absolute paths of the files that the task's child changed; none when it works in a worktree of its own. */
  filesOf(task: Task): Promise<string[]>
  fileDigest: FileDigest
  /** Call when the notes of a session changed: its agent reads them before its next step. */
  notesChanged(session: Session): void
}

/** Files larger than this (bytes) are compared by size and time only. */
const maxBytes = 8_000_000
/** The most files whose digest is cached. */
const maxKnown = 5_000

/** A digest of the current content of files. */
export type FileDigest = (paths: readonly string[]) => Promise<string>

/** A file is read again only when its stamp changes. */
export function createFileDigest(): FileDigest {
  const known = new Map<string, { stamp: string; content: string }>()
  const contentOf = async (path: string): Promise<string> => {
    const facts = await lstat(path, { bigint: true }).catch(() => null)
    if (facts === null) return "none"
    if (!facts.isFile()) return stampOf(facts)
    const stamp = settledStamp(facts)
    const before = known.get(path)
    if (stamp !== null && before?.stamp === stamp) return before.content
    const content = await readBoundedFile(path, maxBytes).then(sha256, () => stampOf(facts))
    if (known.size >= maxKnown) known.clear()
    if (stamp !== null) known.set(path, { stamp, content })
    return content
  }
  return async (paths) => {
    const contents = await Promise.all(paths.map(async (path) => `${path}\0${await contentOf(path)}`))
    return sha256(contents.join("\0\0"))
  }
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex")
}
