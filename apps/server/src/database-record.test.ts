import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { databaseRecord, recordDatabase, recordedDatabase } from "./database-record.ts"

async function newData() {
  const data = await mkdtemp(path.join(tmpdir(), "docket-record-"))
  onTestFinished(() => rm(data, { recursive: true }))
  return { data, file: path.join(data, databaseRecord) }
}

it("a broken link counts as a damaged file, not a missing one", async () => {
  const { data, file } = await newData()
  expect(recordedDatabase(data)).toBeNull()
  await symlink(path.join(data, "nowhere"), file)
  expect(() => recordedDatabase(data)).toThrow("is damaged")
})

it("recording a database replaces an earlier `.new` file and follows no link", async () => {
  const { data, file } = await newData()
  const other = path.join(data, "other")
  await writeFile(other, "kept")
  await symlink(other, `${file}.new`)
  recordDatabase(data, "sqlite")
  expect([recordedDatabase(data), await readFile(other, "utf8")]).toEqual(["sqlite", "kept"])
  await mkdir(`${file}.new`)
  recordDatabase(data, "postgres")
  expect(recordedDatabase(data)).toBe("postgres")
})
