import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { z } from "zod"
import { Attachment, SessionID } from "../../ground/schema/index.ts"

const ImportMark = z.object({ rootID: SessionID, rows: z.array(Attachment) })
export type ImportMark = z.infer<typeof ImportMark>

/** Imports under way, as files: which rows their contents get once the sessions are stored. */
export interface ImportMarks {
  add(mark: ImportMark): Promise<void>
  remove(rootID: string): Promise<void>
  list(): Promise<ImportMark[]>
  /** Whether an import under way brings the content. */
  names(hash: string): Promise<boolean>
}

export function createImportMarks(directory: string): ImportMarks {
  const pathOf = (rootID: string) => join(directory, `${rootID}.json`)
  const list = async (): Promise<ImportMark[]> => {
    const names = await readdir(directory).catch(() => [])
    const marks = await Promise.all(names.filter((name) => name.endsWith(".json")).map((name) => readMark(name)))
    return marks.flatMap((mark) => mark ?? [])
  }
  const readMark = async (name: string): Promise<ImportMark | null> => {
    const text = await readFile(join(directory, name), "utf8").catch(() => "null")
    try {
      return ImportMark.safeParse(JSON.parse(text)).data ?? null
    } catch {
      return null
    }
  }
  return {
    list,
    async add(mark) {
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const partial = `${pathOf(mark.rootID)}.new`
      await writeFile(partial, JSON.stringify(mark), { mode: 0o600, flush: true })
      await rename(partial, pathOf(mark.rootID))
    },
    remove: (rootID) => rm(pathOf(rootID), { force: true }),
    names: async (hash) => (await list()).some(({ rows }) => rows.some((row) => row.hash === hash)),
  }
}
