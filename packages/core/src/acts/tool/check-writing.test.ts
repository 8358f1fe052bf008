import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import type { FileWriting } from "../../ground/schema/tool-metadata.ts"
import { checkWriting, contentSum } from "./check-writing.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

const sum = (text: string) => contentSum(Buffer.from(text))

/** A write of "new" into a file of a project. */
function writing(file: string, before: string | null): FileWriting {
  return {
    path: file,
    before: before === null ? null : sum(before),
    after: sum("new"),
    temporary: ".docket-0123456789ab.tmp",
    title: "a.txt",
    output: "Edited a.txt.",
    change: {
      file: "a.txt",
      diff: "",
      additions: 1,
      deletions: 1,
      created: before === null,
      diffOmitted: true,
      truncated: false,
    },
  }
}

test.each([
  { before: "old", now: "new", kind: "done" },
  { before: "old", now: "old", kind: "not_done" },
  { before: "old", now: "other", kind: "changed" },
  { before: "old", now: null, kind: "gone" },
  { before: null, now: "new", kind: "done" },
  { before: null, now: null, kind: "not_done" },
  { before: null, now: "other", kind: "changed" },
  { before: "new", now: "new", kind: "done" },
])("an interrupted write from $before with the file at $now is $kind", async ({ before, now, kind }) => {
  const { project, write } = createToolFixture()
  if (now !== null) write("a.txt", now)
  expect(await checkWriting(writing(path.join(project, "a.txt"), before))).toMatchObject({ kind })
})

test.each([
  ["a link", (file: string) => symlinkSync("/etc/hostname", file)],
  ["a directory", (file: string) => mkdirSync(file)],
])("%s in the file's place counts as changed, and is not followed", async (_, put) => {
  const { project } = createToolFixture()
  const file = path.join(project, "a.txt")
  put(file)
  expect(await checkWriting(writing(file, "old"))).toEqual({ kind: "changed" })
})

test("what the write left beside the file is removed, and nothing else", async () => {
  const { write } = createToolFixture()
  const file = write("a.txt", "old")
  const own = write(".docket-0123456789ab.tmp", "new")
  const other = write(".docket-aaaaaaaaaaaa.tmp", "of another")
  expect(await checkWriting(writing(file, "old"))).toEqual({ kind: "not_done" })
  expect([existsSync(own), existsSync(other)]).toEqual([false, true])
  await checkWriting({ ...writing(file, "old"), temporary: "a.txt" })
  expect(existsSync(file)).toBe(true)
})

test("a file whose directory is gone with it counts as gone", async () => {
  const { project, write } = createToolFixture()
  const file = write("b/a.txt", "old")
  rmSync(path.join(project, "b"), { recursive: true })
  expect(await checkWriting(writing(file, "old"))).toEqual({ kind: "gone" })
})
