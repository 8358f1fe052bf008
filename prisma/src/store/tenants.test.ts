import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openSqliteDatabase } from "../open-sqlite-database.ts"
import { openSqlite } from "../sqlite/open-sqlite.ts"
import { models } from "./tenants.ts"

/** Tables of the search index: they have no model, and their rows are removed with their sessions. */
const indexes = ["SearchCursor", "SearchRow"]

it("the removal of a tenant covers every table with tenants' rows", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-tenants-"))
  const file = join(directory, "docket.db")
  await (await openSqliteDatabase({ file, clock: Date.now })).close()
  const connection = openSqlite(file)
  const withTenant = `SELECT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c
    WHERE m.type = 'table' AND c.name = 'tenantID' ORDER BY m.name`
  const found = connection.prepare(withTenant).all()
  connection.close()
  expect(found).toEqual(
    [...models.map((model) => model.replace(/^./, (first) => first.toUpperCase())), ...indexes]
      .map((name) => ({ name }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
  await rm(directory, { recursive: true })
})
