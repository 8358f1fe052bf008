import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { DiffScope, Session, Task } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { FileDigest } from "./file-digest.ts"

/** A file, and the session whose changes are meant. */
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
  /** Absolute paths of the files that the child of a task changed where others work too. */
  filesOf(task: Task): Promise<string[]>
  fileDigest: FileDigest
  /** Call when the notes of a session changed: its agent reads them before its next step. */
  noted(session: Session): void
}
