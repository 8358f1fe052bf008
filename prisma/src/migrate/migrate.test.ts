import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DatabaseSync } from "node:sqlite"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openSqlite } from "../sqlite/open-sqlite.ts"
import { migrateSqlite } from "./migrate-sqlite.ts"
import { type Migration, readMigrations } from "./migrations.ts"

const migration = (name: string, sql: string): Migration => ({ name, sql, checksum: `checksum of ${sql}` })
const first = migration(
  "0001_init",
  `CREATE TABLE "Parent" ("id" TEXT PRIMARY KEY);
   CREATE TABLE "Child" ("id" TEXT PRIMARY KEY, "parent" TEXT REFERENCES "Parent" ("id") ON DELETE CASCADE);
   INSERT INTO "Parent" VALUES ('p'); INSERT INTO "Child" VALUES ('c', 'p');`,
)

describe("migrations of a SQLite file", () => {
  let directory: string
  let file: string
  let connection: DatabaseSync
  let now = 0

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "docket-migrate-"))
    file = join(directory, "docket.db")
    connection = openSqlite(file)
  })
  afterEach(async () => {
    connection.close()
    await rm(directory, { recursive: true })
  })

  const migrate = (...migrations: Migration[]) =>
    migrateSqlite({ connection, file, clock: () => (now += 1_000) }, migrations)
  const backups = async () => (await readdir(directory)).filter((name) => name.includes(".backup-"))
  const rows = (sql: string) => connection.prepare(sql).all()

  it("are applied once, in order, with a backup only for existing data", async () => {
    const second = migration("0002_more", `ALTER TABLE "Parent" ADD COLUMN "name" TEXT`)
    expect(await migrate(first)).toEqual(["0001_init"])
    expect(await backups()).toEqual([])
    expect(await migrate(first, second)).toEqual(["0002_more"])
    expect(await migrate(first, second)).toEqual([])
    const [backup = ""] = await backups()
    const copy = openSqlite(join(directory, backup))
    expect(copy.prepare(`SELECT * FROM "Parent"`).all()).toEqual([{ id: "p" }])
    copy.close()
  })

  it("leave the last three backups", async () => {
    const all = [first]
    await migrate(...all)
    for (const number of [2, 3, 4, 5, 6]) {
      all.push(migration(`000${number}_step`, `CREATE TABLE "T${number}" ("id" TEXT)`))
      await migrate(...all)
    }
    expect((await backups()).filter((name) => !name.endsWith("-wal") && !name.endsWith("-shm"))).toHaveLength(3)
  })

  it("leave nothing behind when one fails", async () => {
    await migrate(first)
    const broken = migration("0002_broken", `CREATE TABLE "Half" ("id" TEXT); CREATE TABLE "Half" ("id" TEXT)`)
    await expect(migrate(first, broken)).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("0002_broken failed; the database is as it was"),
    })
    expect(rows(`SELECT "name" FROM sqlite_master WHERE "name" = 'Half'`)).toEqual([])
    expect(await migrate(first)).toEqual([])
  })

  it("rebuild a table without losing the rows that point to it", async () => {
    await migrate(first)
    const rebuild = `PRAGMA foreign_keys=OFF; CREATE TABLE "new" ("id" TEXT PRIMARY KEY, "name" TEXT);
      INSERT INTO "new" ("id") SELECT "id" FROM "Parent"; DROP TABLE "Parent"; ALTER TABLE "new" RENAME TO "Parent";
      PRAGMA foreign_keys=ON;`
    await migrate(first, migration("0002_rebuild", rebuild))
    expect(rows(`SELECT * FROM "Child"`)).toEqual([{ id: "c", parent: "p" }])
    expect(() => connection.exec(`INSERT INTO "Child" VALUES ('d', 'nobody')`)).toThrow("FOREIGN KEY")
  })

  it("refuse a database of a newer version", async () => {
    await migrate(first, migration("0002_future", `CREATE TABLE "Future" ("id" TEXT)`))
    await expect(migrate(first)).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("written by a newer Docket (it has migration 0002_future"),
    })
  })

  it("refuse a database whose applied migration was changed", async () => {
    await migrate(first)
    await expect(migrate(migration("0001_init", "SELECT 1"))).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("0001_init was changed after it was applied"),
    })
  })
})

describe("the migrations", () => {
  it("match the models: run pnpm migrate:diff <name> after a change", async () => {
    const root = join(import.meta.dirname, "../..")
    const [models, snapshot] = await Promise.all(
      ["schema.prisma", "migrations/schema.prisma"].map((path) => readFile(join(root, path), "utf8")),
    )
    expect(snapshot).toBe(models)
  })

  it("are the same for both databases", async () => {
    const names = async (dialect: "sqlite" | "postgres") => (await readMigrations(dialect)).map(({ name }) => name)
    expect(await names("sqlite")).toEqual(await names("postgres"))
  })
})
