import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, expect, test } from "vitest"

const root = await mkdtemp(path.join(tmpdir(), "docket-migrate-"))
afterAll(() => rm(root, { recursive: true }))

test("docket migrate previews and lists gaps; only --write changes files", async () => {
  await mkdir(path.join(root, ".claude/agents"), { recursive: true })
  const settings = { hooks: {}, statusLine: {}, permissions: { deny: ["Read(./.env)"] } }
  await writeFile(path.join(root, ".claude/settings.json"), JSON.stringify(settings))
  await writeFile(path.join(root, "opencode.json"), JSON.stringify({ model: "a/b" }))
  const main = fileURLToPath(new URL("../main.js", import.meta.url))
  const docket = (...args: string[]) =>
    promisify(execFile)(process.execPath, [main, "migrate", root, ...args], {
      env: { PATH: process.env.PATH, HOME: root },
    }).then(
      ({ stdout, stderr }) => stdout + stderr,
      (error: { stderr: string }) => error.stderr,
    )
  const shown = await docket()
  for (const part of [
    "Claude Code",
    "OpenCode",
    "statusLine: ",
    path.join(root, ".claude/agents"),
    "nothing was written",
  ])
    expect(shown).toContain(part)
  // They run where they are.
  expect(shown).not.toContain("hooks")
  expect(await docket("--write")).toContain("choose one with --from")
  expect(await docket("--write", "--from", "claude")).toContain(`wrote ${path.join(root, "docket.json")}`)
  const written: unknown = JSON.parse(await readFile(path.join(root, "docket.json"), "utf8"))
  expect(written).toMatchObject({ permission: { bash: { "*": "ask" }, read: { ".env": "deny" } } })
  expect(await docket("--write", "--from", "opencode")).toContain("Nothing was written")
})
