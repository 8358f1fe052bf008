import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { lazyClient } from "../sql/lazy-client.ts"
import type { Program } from "../sql/program.ts"
import { createConnectionLock } from "./connection-lock.ts"
import { openSqlite } from "./open-sqlite.ts"
import { loadSqliteClient } from "./sqlite-client.ts"
import { createSqliteDatabase } from "./sqlite-database.ts"

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "docket-sqlite-"))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

function* insert(bytes: number): Program<void> {
  yield { sql: "INSERT INTO note (text) VALUES ($1)", params: ["x".repeat(bytes)] }
}

it("says that the disk is full, and writes again when there is room", async () => {
  const connection = openSqlite(path.join(directory, "full.db"))
  connection.exec("CREATE TABLE note (text TEXT)")
  // SQLite gives the same error for a full disk and for its own limit of pages.
  connection.exec("PRAGMA max_page_count = 20")
  const lock = createConnectionLock()
  const client = lazyClient(() => loadSqliteClient(connection, lock))
  const database = createSqliteDatabase(connection, lock, client)
  await expect(database.write(insert(1_000_000))).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringContaining("disk with the data directory is full"),
  })
  await database.write(insert(10))
  expect(connection.prepare("SELECT length(text) AS size FROM note").all()).toEqual([{ size: 10 }])
  await database.close()
})
