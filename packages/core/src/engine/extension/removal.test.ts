import { lstat, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { withoutEntry } from "./removal.ts"

async function fileWith(text: string): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-removal-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, "docket.json")
  await writeFile(file, text)
  return file
}

const written = `{
  // Mine.
  "plugin": ["first@1.0.0", ["second", { "debug": true }], "third"],
  "mcp": {
    "files": { "type": "local", "command": ["files"] }, // old
    "crm": { "type": "remote", "url": "https://crm.example/mcp" },
  },
}
`

test("an entry goes, and comments and all others stay", async () => {
  const file = await fileWith(written)
  const { text } = await withoutEntry({ file, section: "plugin", named: ["second", { debug: true }] })
  expect(text.replace(/\s+/g, " ")).toContain('"plugin": [ "first@1.0.0", "third" ]')
  expect(text).toContain("// Mine.")
  const server = await withoutEntry({ file, section: "mcp", named: "crm" })
  expect(server.text).toContain('"files"')
  expect(server.text).not.toContain("crm")
  expect(await readFile(file, "utf8")).toBe(written)
})

test.each([
  [{ section: "mcp", named: "other" }, "config_changed"],
  [{ section: "mcp", named: "constructor" }, "config_changed"],
  [{ section: "plugin", named: "second" }, "config_changed"],
] as const)("an entry that is not there is refused: %j", async (entry, code) => {
  const file = await fileWith(written)
  await expect(withoutEntry({ file, ...entry })).rejects.toMatchObject({ code })
})

test("a file with an error is refused", async () => {
  const file = await fileWith('{ "mcp": { "files": ')
  await expect(withoutEntry({ file, section: "mcp", named: "files" })).rejects.toMatchObject({ code: "config_invalid" })
})

test("the text is for the file behind a link", async () => {
  const file = await fileWith(written)
  const link = `${file}.link`
  await symlink(file, link)
  const { real } = await withoutEntry({ file: link, section: "mcp", named: "crm" })
  expect([real, (await lstat(real)).isFile()]).toEqual([file, true])
})
