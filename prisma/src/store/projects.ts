import { columnText, DocketError, type ProjectStore, records } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import { DuplicateError } from "../sql/database-errors.ts"
import { oneRow } from "./one-row.ts"
import { data, type StoreScope } from "./store-scope.ts"

export function projectStore(scope: StoreScope): ProjectStore {
  const { tenantID, read, write } = scope
  return {
    get: (id) => oneRow(scope, records.Project, "id", id),
    async byDirectory(directory) {
      const where = { tenantID_directory: { tenantID, directory: columnText(directory) } }
      return storedOrNull(
        scope,
        records.Project,
        await read(({ project }) => project.findUnique({ where, select: data })),
      )
    },
    async list() {
      const rows = await read(({ project }) =>
        project.findMany({ where: { tenantID }, orderBy: [{ opened: "desc" }, { id: "desc" }], select: data }),
      )
      return storedList(scope, records.Project, rows)
    },
    /** @throws DocketError invalid_input when another project has the directory */
    async put(value) {
      const row = rowOf(records.Project, { tenantID }, value)
      const where = { tenantID_id: { tenantID, id: value.id } }
      try {
        await write(({ project }) => project.upsert({ where, create: row, update: row, select: { id: true } }))
      } catch (error) {
        if (!(error instanceof DuplicateError)) throw error
        const taken = { tenantID_directory: { tenantID, directory: row.directory } }
        const other = await read(({ project }) => project.findUnique({ where: taken, select: { id: true } }))
        const words = `${value.directory} is already project ${other?.id}; use that one`
        throw new DocketError("invalid_input", words, { cause: error })
      }
    },
  }
}
