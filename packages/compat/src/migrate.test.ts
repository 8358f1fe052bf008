import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { smallDisk } from "@docket/core/test/full-disk"
import { afterEach, beforeEach, expect, it } from "vitest"
import { findMigrations, writeMigration } from "./migrate.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-migrate-"))
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string | object): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), typeof content === "string" ? content : JSON.stringify(content))
}
const find = (directory: string | null = join(root, "project")) =>
  findMigrations({ home: join(root, "home"), env: {}, directory })

it("converts OpenCode files to one docket.json with the same references", async () => {
  await put(
    "project/opencode.jsonc",
    '{ "model": "a/b", "theme": "x", "tools": { "bash": false }, "experimental": { "primary_tools": ["write"] }, /* c */ }',
  )
  await put("project/.opencode/opencode.json", {
    instructions: ["rules.md"],
    agent: { a: { prompt: "{file:./a.txt}" } },
  })
  await put("project/.opencode/agents/b.md", "B")
  const [migration] = await find()
  expect(migration).toMatchObject({
    from: "opencode",
    target: join(root, "project/docket.json"),
    stays: [join(root, "project/.opencode/agents")],
  })
  expect(migration?.config).toEqual({
    model: "a/b",
    permission: { bash: "deny" },
    primary_tools: ["write"],
    instructions: [".opencode/rules.md"],
    agent: { a: { prompt: "{file:.opencode/a.txt}" } },
  })
  expect(migration?.notes.map(({ key }) => key)).toEqual(["theme"])
})

it("converts the user's Claude Code settings to docket.json, never overwriting one", async () => {
  await put("home/.claude/settings.json", { model: "claude-opus-5", permissions: { allow: ["Bash(ls:*)"] } })
  const [migration] = await find(null)
  if (migration === undefined) throw new Error("nothing was found")
  await writeMigration(migration)
  expect(JSON.parse(await readFile(join(root, "home/.config/docket/docket.json"), "utf8"))).toMatchObject({
    model: "anthropic/claude-opus-5",
    permission: { bash: { "*": "ask", "ls *": "allow" } },
  })
  await expect(writeMigration(migration)).rejects.toThrow("Nothing was written")
})

it("refuses invalid JSON, because its denials are unknown", async () => {
  await put("project/.claude/settings.json", '{ "permissions": { "deny": ["Bash"')
  await expect(find()).rejects.toThrow("is not valid JSON")
  expect(await findMigrations({ home: root, env: {}, directory: join(root, "nothing") })).toEqual([])
})

const disk = smallDisk()
if (disk === null) console.warn("Files on a full disk are not tried: no disk can be mounted here")
disk?.[Symbol.dispose]()

it.skipIf(disk === null)("reports a full disk and leaves nothing half written", async () => {
  using small = smallDisk()
  if (small === null) throw new Error("no disk can be mounted any more")
  const target = join(small.directory, "docket.json")
  const write = () =>
    writeMigration({ from: "opencode", read: [], target, stays: [], notes: [], config: { model: "x".repeat(20_000) } })
  small.fill()
  await expect(write()).rejects.toMatchObject({
    code: "file_not_written",
    message: expect.stringContaining("the disk is full; make room and save again. The file is as it was."),
  })
  expect(await readdir(small.directory)).toEqual(["filler"])
  small.free()
  await write()
})
