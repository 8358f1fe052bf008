import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { entryLine, problemLine, problemLines } from "./config-lines.ts"
import type { ConfigEntry } from "./config-report.ts"
import { loadConfig } from "./load-config.ts"
import { noPrograms } from "./test/no-programs.ts"

it("untrusted configuration cannot erase or forge terminal lines about it", async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), "docket-lines-")))
  const directory = join(home, "project")
  await mkdir(join(directory, ".docket/agents"), { recursive: true })
  const forged = "\u001b[2K\rx\u202e\ndocket: nothing is set"
  const config = { model: `a/${forged}`, agent: { [forged]: { prompt: forged } } }
  await writeFile(join(directory, "docket.json"), JSON.stringify(config))
  await writeFile(join(directory, ".docket/agents/a\ndocket: fine.md"), "---\n")
  const project = { directory, worktree: directory }
  const { trust, problems } = await loadConfig({
    home,
    env: {},
    programs: noPrograms,
    project,
    trustedIn: async () => [],
  })
  const lines = [...trust.entries.map(entryLine), ...problems.map(problemLine)]
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(lines.join("\n")).toContain("\\u{1b}[2K x\\u{202e} docket: nothing is set")
  await rm(home, { recursive: true })
})

it("commands, skills and instructions each have their own line format", () => {
  const entry = { file: "/p/x", line: 1, column: 1, rest: null, known: false, counts: false }
  const line = (kind: ConfigEntry["kind"], path: string[], note: string | null = null) =>
    entryLine({ ...entry, kind, path, value: "Say\nso.", note })
  expect(line("command", ["command", "day"], "Runs `date`.")).toBe("command day: Say so. (Runs `date`.)")
  expect(line("skill", ["skill", "pdf\ndocket: fine"])).toBe("skill pdf docket: fine: Say so.")
  expect(line("instruction-file", ["instruction-file", "AGENTS.md"])).toBe("instructions AGENTS.md: Say so.")
  expect(line("command", ["command", "day", "template"])).toBe("command.day.template = Say so.")
})

it("a project's settings awaiting trust are one counted line among the problems", async () => {
  const home = await realpath(await mkdtemp(join(tmpdir(), "docket-waiting-")))
  const directory = join(home, "project")
  await mkdir(directory)
  const settings = { model: "a/b", small_model: "a/c", permission: { bash: "allow", edit: "deny" }, modle: 1 }
  await writeFile(join(directory, "docket.json"), JSON.stringify(settings))
  const load = (trusted: { hash: string }[]) =>
    loadConfig({
      home,
      env: {},
      programs: noPrograms,
      project: { directory, worktree: directory },
      trustedIn: async () => trusted,
    })
  expect(problemLines(await load([]))).toEqual([
    expect.stringContaining('unknown key "modle"'),
    `${directory}: 3 things that it brings do not count, because you do not trust them. docket trust shows each and asks; --trust lets all count.`,
  ])
  await writeFile(join(directory, "docket.json"), JSON.stringify({ model: "a/b" }))
  expect(problemLines(await load([{ hash: "0".repeat(64) }]))).toEqual([
    `${directory}: 1 thing that it brings does not count, because it has changed since you trusted it. docket trust shows each and asks; --trust lets all count.`,
  ])
  const { hash } = (await load([])).trust
  expect(problemLines(await load([{ hash: hash ?? "" }]))).toEqual([])
  await rm(home, { recursive: true })
})
