import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { unsavedText } from "./unsaved-text.ts"

async function fileWith(content: string | Buffer): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), "docket-unsaved-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = path.join(directory, "a.txt")
  await writeFile(file, content)
  return file
}

it.each([
  ["the same text", "saved", null],
  ["another text", "changed", "changed"],
  ["no text", null, null],
])("a saved file of which the editor has %s gives %o", async (_, buffer, text) => {
  const file = await fileWith("saved")
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

it.each([
  ["the line ends", "one\r\ntwo\r\n", "one\ntwo\n"],
  ["the last line end", "one\n", "one"],
  ["a byte order mark", "\uFEFFone", "one"],
])("a text that differs in %s alone is saved", async (_, saved, buffer) => {
  expect(await unsavedText(await fileWith(saved), async () => buffer)).toBeNull()
})

it("what is no text, and huge buffers, are left alone", async () => {
  expect(await unsavedText(await fileWith(Buffer.from([0xff, 0xfe, 0])), async () => "text")).toBeNull()
  expect(await unsavedText(await fileWith("one"), async () => "x".repeat(2_000_001))).toBeNull()
})
