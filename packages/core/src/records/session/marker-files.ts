import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"

/**
 * Names what a restart has to know of and that no row can tell, as empty files: the sessions whose undo or redo is
 * under way, the turns that were stopped while the store took nothing.
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
