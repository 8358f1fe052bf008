import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/** Names the sessions whose undo or redo is under way, so that a restart finds them without a search. */
export interface PendingMarks {
  add(sessionID: string): Promise<void>
  remove(sessionID: string): Promise<void>
  list(): Promise<string[]>
}

export function createPendingMarks(directory: string): PendingMarks {
  return {
    async add(sessionID) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await writeFile(join(directory, sessionID), "")
    },
    remove: (sessionID) => rm(join(directory, sessionID), { force: true }),
    list: () => readdir(directory).catch(() => []),
  }
}
