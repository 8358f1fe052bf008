import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { records, type TenantDatabase } from "@docket/core/store"
import { expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { readDatabase } from "../../test/read-database.ts"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase, openSqliteDatabase, type UnreadableRow } from "../index.ts"
import { openPostgres } from "../postgres/open-postgres.ts"
import { loadPostgresClient } from "../postgres/postgres-client.ts"
import { createStatementNames } from "../postgres/statement-names.ts"
import { decode, type RowShape, rowOf } from "../row/row-data.ts"
import type { Client } from "../sql/database.ts"
import { createConnectionLock } from "../sqlite/connection-lock.ts"
import { openSqlite } from "../sqlite/open-sqlite.ts"
import { loadSqliteClient } from "../sqlite/sqlite-client.ts"

const releases = join(import.meta.dirname, "../../test/released-databases")
const Line = z.object({ asked: z.string(), answer: z.unknown() })

const dump = (release: string, file: string) => readFileSync(join(releases, release, file), "utf8")

/** What the released version read from the database, one query per line. */
function reading(release: string): z.infer<typeof Line>[] {
  const lines = dump(release, "reading.jsonl").trim().split("\n")
  return lines.map((line) => Line.parse(JSON.parse(line)))
}

/** Checks that rows at most gained fields, none is lost, and only rows that were unreadable then are unreadable now. */
async function expectSameRows(release: string, database: TenantDatabase, told: UnreadableRow[]): Promise<void> {
  const answers = await readDatabase(database)
  const expected = reading(release)
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(expected.map(({ asked }) => asked)))
  for (const { asked, answer } of expected) expect({ asked, answer: answers[asked] }).toMatchObject({ asked, answer })
  expect(told).toMatchObject([{ table: "Project", reason: expect.stringContaining("newer version") }])
}

/** Checks that every column has the value that this version would write for the row's content. */
async function expectColumns(client: Client): Promise<void> {
  const place = (row: { tenantID: string; rootID: string; seq: number }) => row
  const rows = [
    ...columns(await client.project.findMany(), records.Project, ({ tenantID }, value) =>
      rowOf(records.Project, { tenantID }, value),
    ),
    ...columns(await client.session.findMany(), records.Session, (row, value) =>
      rowOf(records.Session, { ...place(row), createdSeq: row.createdSeq }, value),
    ),
    ...columns(await client.message.findMany(), records.Message, (row, value) =>
      rowOf(records.Message, place(row), value),
    ),
    ...columns(await client.part.findMany(), records.Part, (row, value) => rowOf(records.Part, place(row), value)),
    ...columns(await client.todo.findMany(), records.Todo, ({ tenantID, rootID, sessionID }, value) =>
      rowOf(records.Todo, { tenantID, rootID, sessionID }, value),
    ),
    ...columns(await client.todoChange.findMany(), records.TodoChange, ({ tenantID }, value) =>
      rowOf(records.TodoChange, { tenantID }, value),
    ),
    ...columns(await client.task.findMany(), records.Task, (row, value) => rowOf(records.Task, place(row), value)),
    ...columns(await client.turn.findMany(), records.Turn, (row, value) => rowOf(records.Turn, place(row), value)),
    ...columns(await client.permissionRequest.findMany(), records.PermissionRequest, (row, value) =>
      rowOf(records.PermissionRequest, place(row), value),
    ),
    ...columns(await client.permissionGrant.findMany(), records.PermissionGrant, ({ tenantID }, value) =>
      rowOf(records.PermissionGrant, { tenantID }, value),
    ),
    ...columns(await client.share.findMany(), records.Share, ({ tenantID }, value) =>
      rowOf(records.Share, { tenantID }, value),
    ),
    ...columns(await client.memory.findMany(), records.Memory, ({ tenantID }, value) =>
      rowOf(records.Memory, { tenantID }, value),
    ),
    ...columns(await client.schedule.findMany(), records.Schedule, ({ tenantID }, value) =>
      rowOf(records.Schedule, { tenantID }, value),
    ),
    ...columns(await client.scheduleRun.findMany(), records.ScheduleRun, ({ tenantID }, value) =>
      rowOf(records.ScheduleRun, { tenantID }, value),
    ),
    ...columns(await client.apiToken.findMany(), records.ApiToken, (_, value) =>
      rowOf(records.ApiToken, { tenantID: value.tenantID }, value),
    ),
  ]
  expect(rows.length).toBeGreaterThan(60)
  for (const { found, expected } of rows) expect(found).toMatchObject(expected)
  const trees = await client.tree.findMany()
  expect(trees.length).toBeGreaterThan(0)
  // One process owned everything.
  for (const tree of trees) expect(tree).toMatchObject({ place: "", holder: "" })
}

/** The columns of each readable row, and the values that its content requires. */
function columns<R extends { data: string }, T>(rows: R[], shape: RowShape<T>, write: (row: R, value: T) => object) {
  return rows
    .filter(({ data }) => !data.includes('"$shape":99'))
    .map((row) => {
      const expected = write(row, decode(shape, row.data))
      // The content itself may have new fields, and databases differ in how they store half a surrogate pair.
      return { found: wellFormed({ ...row, data: "" }), expected: wellFormed({ ...expected, data: "" }) }
    })
}

function wellFormed(row: object): object {
  return JSON.parse(JSON.stringify(row).replaceAll("\uFFFD", ""))
}

it.each(readdirSync(releases))("a SQLite file of %s opens, migrates and reads the same", async (release) => {
  const directory = await mkdtemp(join(tmpdir(), "docket-released-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = join(directory, "docket.db")
  const old = new DatabaseSync(file)
  old.exec(dump(release, "sqlite.sql"))
  old.close()
  for (const opened of ["migrated", "opened again"]) {
    const told: UnreadableRow[] = []
    const database = await openSqliteDatabase({ file, clock: Date.now, onUnreadable: (row) => told.push(row) })
    await expectSameRows(release, database, told)
    await database.close()
    const backups = (await readdir(directory)).filter((name) => /\.backup-.*Z$/.test(name))
    expect(backups, opened).toHaveLength(1)
  }
  const connection = openSqlite(file)
  await expectColumns(await loadSqliteClient(connection, createConnectionLock()))
  connection.close()
})

it.for(readdirSync(releases))(
  "a PostgreSQL dump of %s opens, migrates and reads the same",
  async (release, { skip }) => {
    const server = await startPostgres()
    if (typeof server === "string") return skip(server)
    onTestFinished(server.stop)
    // psql's own commands, which protect it from a hostile server, are not SQL.
    await server.execute(dump(release, "postgres.sql").replaceAll(/^\\.*$/gm, ""))
    for (const _ of ["migrated", "opened again"]) {
      const told: UnreadableRow[] = []
      const database = await openPostgresDatabase({ url: server.url, onUnreadable: (row) => told.push(row) })
      await expectSameRows(release, database, told)
      await database.close()
    }
    const pool = openPostgres(server.url)
    await expectColumns(await loadPostgresClient(pool, createStatementNames()))
    await pool.end()
  },
)
