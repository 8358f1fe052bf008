import { readdirSync, readFileSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { TenantDatabase } from "@docket/core/store"
import { expect, it, onTestFinished } from "vitest"
import { z } from "zod"
import { readDatabase } from "../../test/read-database.ts"
import { startPostgres } from "../../test/start-postgres.ts"
import { openPostgresDatabase, openSqliteDatabase, type UnreadableRow } from "../index.ts"

const releases = join(import.meta.dirname, "../../test/released-databases")
const Line = z.object({ asked: z.string(), answer: z.unknown() })

const dump = (release: string, file: string) => readFileSync(join(releases, release, file), "utf8")

/** What the released version itself read of the database, one question a line. */
function reading(release: string): z.infer<typeof Line>[] {
  const lines = dump(release, "reading.jsonl").trim().split("\n")
  return lines.map((line) => Line.parse(JSON.parse(line)))
}

/** Rows may have gained fields since; none is lost, none is another one, and only what was unreadable then is so now. */
async function expectSame(release: string, database: TenantDatabase, told: UnreadableRow[]): Promise<void> {
  const answers = await readDatabase(database)
  const expected = reading(release)
  expect(Object.keys(answers)).toEqual(expect.arrayContaining(expected.map(({ asked }) => asked)))
  for (const { asked, answer } of expected) expect({ asked, answer: answers[asked] }).toMatchObject({ asked, answer })
  expect(told).toMatchObject([{ table: "Project", reason: expect.stringContaining("newer version") }])
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
    await expectSame(release, database, told)
    await database.close()
    const backups = (await readdir(directory)).filter((name) => /\.backup-.*Z$/.test(name))
    expect(backups, opened).toHaveLength(1)
  }
})

it.for(readdirSync(releases))(
  "a PostgreSQL dump of %s opens, migrates and reads the same",
  async (release, { skip }) => {
    const server = await startPostgres()
    if (typeof server === "string") return skip(server)
    onTestFinished(server.stop)
    // psql's own commands, which guard it against a hostile server, are none of SQL.
    await server.execute(dump(release, "postgres.sql").replaceAll(/^\\.*$/gm, ""))
    for (const _ of ["migrated", "opened again"]) {
      const told: UnreadableRow[] = []
      const database = await openPostgresDatabase({ url: server.url, onUnreadable: (row) => told.push(row) })
      await expectSame(release, database, told)
      await database.close()
    }
  },
)
