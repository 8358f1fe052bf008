import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { databaseMark, markDatabase, markedDatabase } from "./database-mark.ts"

async function newData() {
  const data = await mkdtemp(path.join(tmpdir(), "docket-mark-"))
  onTestFinished(() => rm(data, { recursive: true }))
  return { data, file: path.join(data, databaseMark) }
}

it("a broken link counts as a damaged mark, not a missing one", async () => {
  const { data, file } = await newData()
  expect(markedDatabase(data)).toBeNull()
  await symlink(path.join(data, "nowhere"), file)
  expect(() => markedDatabase(data)).toThrow("is damaged")
})

it("writes through no link, and over what is in its way", async () => {
  const { data, file } = await newData()
  const other = path.join(data, "other")
  await writeFile(other, "kept")
  await symlink(other, `${file}.new`)
  markDatabase(data, "sqlite")
  expect([markedDatabase(data), await readFile(other, "utf8")]).toEqual(["sqlite", "kept"])
  await mkdir(`${file}.new`)
  markDatabase(data, "postgres")
  expect(markedDatabase(data)).toBe("postgres")
})
