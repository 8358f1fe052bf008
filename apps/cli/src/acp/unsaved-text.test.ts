import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { unsavedText } from "./unsaved-text.ts"

it.each([
  ["the same text", "saved", null],
  ["another text", "changed", "changed"],
  ["no text", null, null],
])("a saved file of which the editor has %s gives %o", async (_, buffer, text) => {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-unsaved-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, "a.txt")
  await writeFile(file, "saved")
  const read = async () => {
    if (buffer === null) throw new Error("not open")
    return buffer
  }
  expect(await unsavedText(file, read)).toBe(text)
})

it("a file never saved has the editor's text; a directory none", async () => {
  const read = async () => "new"
  expect(await unsavedText(path.join(tmpdir(), "docket-never-saved"), read)).toBe("new")
  expect(await unsavedText(tmpdir(), read)).toBeNull()
})
