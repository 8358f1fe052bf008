import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { DiffScope, Session, Task } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { FileDigest } from "./file-digest.ts"

/** A file, and whose changes of it are meant. */
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
  /** Of each file the pieces of its diff, oldest first; null for one that is not kept. */
  patchesOf(rootID: string, files: readonly DiffedFile[]): Promise<(string | null)[][]>
  /** Absolute paths of the files that the child of a task changed where others work too. */
  filesOf(task: Task): Promise<string[]>
  fileDigest: FileDigest
  /** A session whose notes changed: the agent that works in it reads them before its next step. */
  noted(session: Session): void
}
