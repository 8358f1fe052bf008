import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { loadConfig } from "@docket/core/load-config"
import { seeProject } from "@docket/core/other-programs"
import { loadTrusted } from "@docket/core/test/load-trusted"
import { beforeEach, expect, onTestFinished, test } from "vitest"
import { ownClaudeHooks } from "./claude-hooks.ts"
import { otherPrograms } from "./other-programs.ts"

let root: string
let worktree: string
let input: Omit<Parameters<typeof loadConfig>[0], "trustedIn">

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "docket-hooks-")))
  onTestFinished(() => rm(root, { recursive: true }))
  worktree = join(root, "project")
  await mkdir(worktree)
  const project = { worktree, directory: worktree }
  input = {
    ...{ home: join(root, "home"), project, env: {}, programs: otherPrograms },
    finders: [otherPrograms.findHooks],
  }
})

async function put(file: string, content: string | object): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2))
  return file
}

const command = (text: string) => ({ type: "command", command: text })

test("a project's hooks wait for trust, with what each runs", async () => {
  const hooks = {
    PreToolUse: [{ matcher: "Bash", hooks: [command("./check.sh"), { type: "http", url: "https://example.com/h" }] }],
  }
  const file = await put(join(worktree, ".claude/settings.json"), { hooks })
  const { provided, trust, problems } = await loadConfig({ ...input, trustedIn: async () => [] })
  expect(trust.state).toBe("untrusted")
  expect(problems).toMatchObject([{ file, waits: true, message: expect.stringContaining("the hooks of") }])
  expect(provided).toMatchObject([
    {
      ...{ kind: "hook", name: ".claude/settings.json", trusted: false },
      notes: [
        "Runs `./check.sh` at PreToolUse of Bash.",
        "Sends what agents do to https://example.com/h at PreToolUse of Bash.",
      ],
    },
  ])
  const trusted = await loadTrusted(input)
  expect(trusted.provided.map((one) => [one.trusted, JSON.parse(one.text)])).toEqual([[true, hooks]])
})

test("a command without end is a problem, and is not run", async () => {
  const long = { PreToolUse: [{ hooks: [command(`echo ${"1".repeat(10_000)}`)] }] }
  await put(join(worktree, ".claude/settings.json"), { hooks: long })
  const { problems, provided } = await loadTrusted(input)
  expect(problems).toMatchObject([{ message: expect.stringContaining("A hook of PreToolUse is wrong at command") }])
  expect(provided).toEqual([])
})

test("a script that hooks run is part of what is trusted", async () => {
  await put(join(worktree, ".claude/settings.json"), {
    hooks: {
      Stop: [{ hooks: [command('python3 "$CLAUDE_PROJECT_DIR/.claude/hooks/stop.py" --fast && echo src/a.ts')] }],
    },
  })
  const script = await put(join(worktree, ".claude/hooks/stop.py"), "print('one')")
  await put(join(worktree, "src/a.ts"), "one")
  const { trust, provided } = await loadConfig({ ...input, trustedIn: async () => [] })
  expect(provided[0]?.beside?.map(({ file }) => file)).toEqual([script])
  const trustedIn = async () => (trust.hash === null ? [] : [{ hash: trust.hash }])
  await put(join(worktree, "src/a.ts"), "two")
  expect((await loadConfig({ ...input, trustedIn })).trust.state).toBe("trusted")
  await put(script, "print('two')")
  expect((await loadConfig({ ...input, trustedIn })).trust.state).toBe("changed")
})

test("what a hook writes is no part of what is trusted", async () => {
  const writing = 'cat >> "$CLAUDE_PROJECT_DIR/.claude/seen.jsonl" && timeout 5 ./check.sh ./src/a.ts 2> errors.txt'
  await put(join(worktree, ".claude/settings.json"), { hooks: { Stop: [{ hooks: [command(writing)] }] } })
  const script = await put(join(worktree, "check.sh"), "exit 0")
  const { trust } = await loadConfig({ ...input, trustedIn: async () => [] })
  for (const name of [".claude/seen.jsonl", "errors.txt", "src/a.ts"]) await put(join(worktree, name), "one")
  const trustedIn = async () => (trust.hash === null ? [] : [{ hash: trust.hash }])
  const again = await loadConfig({ ...input, trustedIn })
  expect([again.trust.state, again.provided[0]?.beside?.map(({ file }) => file)]).toEqual(["trusted", [script]])
})

test("hooks that cannot run are named with their line", async () => {
  const text = [
    "{",
    '  "hooks": {',
    '    "PostCompact": [],',
    '    "PreToolUze": [],',
    '    "Stop": [{ "hooks": [',
    '      { "type": "prompt", "prompt": "Is it done?" },',
    '      { "type": "command" },',
    '      { "type": "command", "command": "true", "timeout": 0 },',
    '      { "type": "command", "command": "true", "unknown": 1 }',
    '    ] }, { "matcher": 7 }]',
    "  }",
    "}",
  ].join("\n")
  await put(join(worktree, ".claude/settings.json"), text)
  const { problems, provided } = await loadTrusted(input)
  expect(problems.map(({ line, message }) => [line, message])).toEqual([
    [3, 'Hooks of "PostCompact": it does not happen in Docket. It is not run.'],
    [4, expect.stringMatching(/^Hooks of "PreToolUze": it is no event\..*PreToolUse/)],
    [6, expect.stringContaining('has the type "prompt", which Docket does not have')],
    [7, expect.stringContaining("wrong at command")],
    [8, expect.stringContaining("wrong at timeout")],
    [10, expect.stringContaining("An entry of Stop must be")],
  ])
  expect(provided.map((one): unknown => JSON.parse(one.text))).toEqual([{ Stop: [{ hooks: [command("true")] }] }])
})

test("hooks of all levels are found, none in the home directory", async () => {
  const hooks = { Stop: [{ hooks: [command("true")] }] }
  await put(join(worktree, ".claude/settings.local.json"), { hooks })
  await put(join(worktree, "app/.claude/settings.json"), { hooks })
  const project = await seeProject({ worktree, directory: join(worktree, "app") })
  const found = await otherPrograms.findHooks({ ...project, home: input.home, named: async () => [] })
  expect(found.files.map(({ name }) => name)).toEqual([".claude/settings.local.json", "app/.claude/settings.json"])
  const atHome = await otherPrograms.findHooks({ ...project, home: worktree, named: async () => [] })
  expect(atHome.files.map(({ name }) => name)).toEqual(["app/.claude/settings.json"])
  expect((await ownClaudeHooks({ home: worktree })).files).toEqual([])
  await put(join(worktree, ".claude/settings.json"), { hooks })
  expect((await ownClaudeHooks({ home: worktree })).files.map(({ name }) => name)).toEqual(["~/.claude/settings.json"])
})

test("disableAllHooks switches the hooks of its file off", async () => {
  const hooks = { Stop: [{ hooks: [command("true")] }] }
  await put(join(worktree, ".claude/settings.json"), { disableAllHooks: true, hooks })
  expect((await loadTrusted(input)).provided).toEqual([])
})

test("hooks in a project's docket.json count once trusted", async () => {
  const file = await put(join(worktree, "docket.json"), {
    hooks: { Stop: [{ hooks: [command("npm test"), { type: "http", url: "https://example.com/h" }] }] },
  })
  const { trust, config } = await loadConfig({ ...input, trustedIn: async () => [] })
  expect(config.hooks).toBeUndefined()
  const note = "Runs `npm test` at Stop. Sends what agents do to https://example.com/h at Stop."
  expect(trust.entries).toMatchObject([{ file, kind: "hook", path: ["hooks", "Stop"], note, counts: false }])
  expect((await loadTrusted(input)).config.hooks?.Stop).toHaveLength(1)
})

test("settings of brackets alone are a problem, and everything is asked", async () => {
  const file = await put(join(worktree, ".claude/settings.json"), `{ "hooks": ${'{ "a": '.repeat(50_000)}`)
  const { problems, provided, closures } = await loadConfig({ ...input, trustedIn: async () => [] })
  expect(problems).toMatchObject([{ file, message: expect.stringContaining("is no valid JSON") }])
  expect([provided, closures.length]).toEqual([[], 1])
})
