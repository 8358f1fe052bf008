import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createProgramFiles } from "./program-files.ts"
import { trustedCommand } from "./trusted-command.ts"

const server = "console.log('server')"

/** A project whose server was trusted, and the checkout of a task. */
async function trusted(command: string[], files: Record<string, string>, cwd?: string) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-programs-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const at = (name: string) => path.join(root, name)
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  for (const [name, text] of Object.entries({ "project/a.txt": "", "task/a.txt": "", ...files })) put(name, text)
  const words = command.map((word) => word.replace("ROOT", root))
  const config = { type: "local" as const, command: words, ...(cwd !== undefined && { cwd }) }
  const beside = await createProgramFiles(at("project"))(config)
  const trusted = new Map(beside.map(({ file, sha256 }) => [file, sha256]))
  const runIn = async (worktree: string) => {
    const found = await trustedCommand(config, trusted, { worktree: at(worktree), checkout: at("project") })
    const shown = (one: string) => one.replace(root, "ROOT")
    return [found.command.map(shown), found.readable.map(shown)]
  }
  return { put, at, runIn }
}

test("a task's own program runs while it is as trusted", async () => {
  const { put, runIn } = await trusted(["node", "tools/s.mjs"], {
    ...{ "project/tools/s.mjs": server, "project/node_modules/a/a.js": "", "task/tools/s.mjs": server },
  })
  expect(await runIn("task")).toEqual([["node", "tools/s.mjs"], []])
  put("task/tools/s.mjs", "// the agent's")
  const own = ["ROOT/project/tools", "ROOT/project/node_modules"]
  expect(await runIn("task")).toEqual([["node", "ROOT/project/tools/s.mjs"], own])
})

test.each([
  [["node", "--import=./hook.mjs", "x"], undefined, ["node", "--import=ROOT/project/hook.mjs", "x"]],
  [["node", "hook.mjs"], ".", ["node", "ROOT/project/hook.mjs"]],
  [["node", "../hook.mjs"], "sub", ["node", "ROOT/project/hook.mjs"]],
])("a file that a task lacks is the project's: %j", async (command, cwd, expected) => {
  const { runIn } = await trusted(command, { "project/hook.mjs": server }, cwd)
  expect((await runIn("task"))[0]).toEqual(expected)
})

test("a program named by its whole path is the task's, as trusted", async () => {
  const { put, runIn } = await trusted(["node", "ROOT/project/s.mjs"], {
    ...{ "project/s.mjs": server, "task/s.mjs": server },
  })
  expect(await runIn("task")).toEqual([["node", "ROOT/task/s.mjs"], []])
  put("task/s.mjs", "// the agent's")
  expect(await runIn("task")).toEqual([["node", "ROOT/project/s.mjs"], ["ROOT/project"]])
})

test("a link that leads out takes no program's place", async () => {
  const { at, runIn } = await trusted(["node", "s.mjs"], { "project/s.mjs": server })
  symlinkSync("/tmp/of-commands-alone.mjs", at("task/s.mjs"))
  expect((await runIn("task"))[0]).toEqual(["node", "ROOT/project/s.mjs"])
})

test.each([
  ["changed", "s.mjs", "s.mjs changed since you trusted"],
  ["is gone", "gone.mjs", "gone.mjs is not there any more"],
  ["came later", "later.mjs", "later.mjs was not looked at when you trusted"],
  ["is too large to look at", "large.mjs", "large.mjs cannot be looked at"],
])("a program that %s does not run", async (_what, name, problem) => {
  const { put, at, runIn } = await trusted(["node", name], {
    "project/s.mjs": server,
    "project/gone.mjs": server,
    "project/large.mjs": "#".repeat(32 * 1024 * 1024 + 1),
  })
  put("project/s.mjs", "// another")
  put("project/later.mjs", server)
  rmSync(at("project/gone.mjs"))
  await expect(runIn("project")).rejects.toThrow(problem)
})

test("a command of too many words does not run", async () => {
  const { runIn } = await trusted(["node", ...Array.from({ length: 200 }, () => "-x"), "s.mjs"], {
    "project/s.mjs": server,
  })
  await expect(runIn("project")).rejects.toThrow("more words than are looked at")
})

test("files are looked at up to a size of all together", async () => {
  const large = "#".repeat(20 * 1024 * 1024)
  const { runIn } = await trusted(["node", "first.mjs", "second.mjs"], {
    "project/first.mjs": large,
    "project/second.mjs": large,
  })
  await expect(runIn("project")).rejects.toThrow("second.mjs was not looked at when you trusted")
})
