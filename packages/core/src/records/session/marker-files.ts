import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/**
 * Empty files whose names are read after a restart, for facts that are not in the store: sessions with an undo or redo
 * in progress, and turns that were stopped while the store could not be written.
 */
export interface MarkerFiles {
  add(id: string): Promise<void>
  remove(id: string): Promise<void>
  list(): Promise<string[]>
}

export function createMarkerFiles(directory: string): MarkerFiles {
  return {
    async add(id) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      await writeFile(join(directory, id), "")
    },
    remove: (id) => rm(join(directory, id), { force: true }),
    list: () => readdir(directory).catch(() => []),
  }
}
