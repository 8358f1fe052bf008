import { records, type WorkspaceStore } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList } from "../row/stored.ts"
import type { UnreadableRows } from "../row/unreadable-rows.ts"
import type { Database } from "../sql/database.ts"
import { query } from "../sql/program.ts"

/** @param writerOf the database through which the rows of a tenant are written */
export function createWorkspaces(
  writerOf: (tenantID: string) => Pick<Database, "write">,
  { read }: Pick<Database, "read">,
  unreadable: UnreadableRows,
): WorkspaceStore {
  return {
    async list() {
      const rows = await read({ program: () => query(`SELECT "data" FROM "Workspace" ORDER BY "tenantID"`) })
      return storedList({ unreadable }, records.Workspace, rows)
    },
    async put(value) {
      const row = rowOf(records.Workspace, { tenantID: value.id }, value)
      const where = { tenantID: value.id }
      const upserted = { where, create: row, update: row, select: { tenantID: true } } as const
      await writerOf(value.id).write(({ workspace }) => workspace.upsert(upserted))
    },
    async withWork() {
      const ids = await read(({ workspace }) => workspace.findMany({ select: { tenantID: true } }))
      const tenantID = { in: ids.map((row) => row.tenantID) }
      const [turns, schedules, webhooks] = await Promise.all([
        read(({ turn }) =>
          turn.groupBy({ by: "tenantID", where: { tenantID, status: { in: ["queued", "running"] } } }),
        ),
        read(({ schedule }) =>
          schedule.groupBy({ by: "tenantID", where: { tenantID, status: "active", nextFireAt: { not: null } } }),
        ),
        read(({ webhook }) => webhook.groupBy({ by: "tenantID", where: { tenantID, status: "active" } })),
      ])
      return [...new Set([...turns, ...schedules, ...webhooks].map((row) => row.tenantID))].sort()
    },
  }
}
