import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type AnyRecord, records } from "@docket/core/store"
import { expect, it, onTestFinished } from "vitest"
import { writeMigratedSqlite } from "../../test/migrated-sqlite.ts"

async function open(): Promise<DatabaseSync> {
  const directory = await mkdtemp(join(tmpdir(), "docket-tables-"))
  const file = join(directory, "docket.db")
  await writeMigratedSqlite(file)
  const connection = new DatabaseSync(file, { readOnly: true })
  onTestFinished(async () => {
    connection.close()
    await rm(directory, { recursive: true })
  })
  return connection
}

const declared = { word: "TEXT", text: "TEXT", person: "TEXT", number: "REAL", integer: "INTEGER", boolean: "BOOLEAN" }

/** The table that a record describes. */
function asTable({ key, columns, unique, owner }: AnyRecord) {
  const types = { tenantID: "word", [key]: "word", ...columns, data: "text" } as const
  const own = Object.entries(types).map(([name, type]) => ({
    name,
    type: declared[type.replace("?", "") as keyof typeof declared],
    needed: Number(!type.endsWith("?")),
  }))
  return {
    columns: own.sort(byName),
    keys: [[...new Set(["tenantID", key])], ...unique.map((names) => ["tenantID", ...names])].map(String).sort(),
    parent: parentOf(owner),
  }
}

function parentOf(owner: AnyRecord["owner"]): string | null {
  if (owner === "tenant") return null
  if (owner === "tree") return "Session by rootID"
  return owner === "session" ? "Session by sessionID" : `${owner.record.name} by ${owner.column}`
}

/** The table that the migrations created. */
function storedTable(connection: DatabaseSync, table: string) {
  const rows = (sql: string, ...params: string[]) => connection.prepare(sql).all(...params)
  const columns = rows(`SELECT "name", "type", "notnull" AS "needed" FROM pragma_table_info(?)`, table)
  const keys = rows(`SELECT "name" FROM pragma_index_list(?) WHERE "unique" = 1`, table)
    .map(({ name }) => rows(`SELECT "name" FROM pragma_index_info(?)`, String(name)))
    .map((index) => index.map((column) => String(column.name)).join())
    // A record does not describe indexes that are unique across all tenants.
    .filter((key) => key.startsWith("tenantID"))
  const [parent] = rows(`SELECT "table", "from" FROM pragma_foreign_key_list(?) WHERE "seq" = 1`, table)
  return {
    columns: columns.map((column) => ({ ...column })).sort(byName as never),
    keys: keys.sort(),
    parent: parent === undefined ? null : `${String(parent.table)} by ${String(parent.from)}`,
  }
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1
}

it("each table with row content has a record", async () => {
  const tables = (await open())
    .prepare(
      `SELECT t."name" FROM sqlite_schema t, pragma_table_info(t."name") c WHERE t."type" = 'table' AND c."name" = 'data'`,
    )
    .all()
    .map(({ name }) => String(name))
  // Those without a record: the copy that a share shows, which is rebuilt from the tree, and what is of no tenant.
  const expected = [...Object.keys(records), "ShareCopy", "ShareRow", "Node", "Host"]
  expect(tables.sort()).toEqual(expected.sort())
})

it.each(Object.values(records))("$name has the columns, keys and owner of its record", async (record) => {
  const stored = storedTable(await open(), record.name)
  const described = asTable(record)
  // `todoSeq` is written by its own statement, and removing a session removes its children.
  if (record.name === "Session") {
    stored.columns = stored.columns.filter(({ name }) => name !== "todoSeq")
    described.parent = "Session by parentID"
  }
  expect(stored).toEqual(described)
})
