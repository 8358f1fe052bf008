import { open } from "node:fs/promises"
import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, expect, onTestFinished, test } from "vitest"
import { backUp } from "./back-up.ts"
import { checkDatabase } from "./check-database.ts"
import { restore } from "./restore.ts"
import { filledData, newDirectory, removeDirectories, sumsOf } from "./test/filled-data.ts"

afterAll(removeDirectories)

const quiet = () => undefined

/** What the check reported before it failed. */
async function problemsOf(data: string): Promise<string[]> {
  const reported: string[] = []
  const failed = await checkDatabase({ data, database: null }, (words) => reported.push(words)).catch((error) => error)
  expect(failed).toMatchObject({
    code: "store_unavailable",
    message: expect.stringContaining("docket restore --replace"),
  })
  return reported
}

test("a whole database is read to its last row", async () => {
  const data = await filledData()
  const { facts, words } = await checkDatabase({ data, database: null }, quiet)
  const rows = Object.entries(await sumsOf(data)).map(([table, sum]) => [table, sum.rows])
  expect(facts).toMatchObject({ database: "sqlite", tables: Object.fromEntries(rows) })
  expect(words).toContain(`${facts.rows} rows`)
})

test("a row whose parent is missing is reported", async () => {
  const data = await filledData()
  const connection = new DatabaseSync(path.join(data, "docket.db"), { enableForeignKeyConstraints: false })
  connection.exec('DELETE FROM "Session"')
  connection.close()
  expect(await problemsOf(data)).toContainEqual(expect.stringMatching(/^a row of \w+ refers to a row of Session that/))
})

test("damaged pages are reported", async () => {
  const data = await filledData()
  const file = await open(path.join(data, "docket.db"), "r+")
  const { size } = await file.stat()
  // The first page has the schema: without it nothing can be checked.
  await file.write(Buffer.alloc(size - 8_192, 0xa5), 0, size - 8_192, 8_192)
  await file.close()
  expect((await problemsOf(data)).length).toBeGreaterThan(0)
})

test("a database of PostgreSQL is read too", async ({ skip }) => {
  const server = await startPostgres()
  if (typeof server === "string") return skip(server)
  onTestFinished(server.stop)
  const data = await filledData()
  const [file, to] = [path.join(await newDirectory(), "b"), path.join(await newDirectory(), "data")]
  await backUp({ file, data, database: null, withKeys: true }, quiet)
  await restore({ file, data: to, database: server.url, replace: false, toFile: false }, quiet)
  const { facts } = await checkDatabase({ data: to, database: server.url }, quiet)
  expect(facts).toMatchObject({
    database: "postgresql",
    rows: (await checkDatabase({ data, database: null }, quiet)).facts.rows,
  })
})
