import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { scriptsOfHooks } from "@docket/core/hook-scripts"
import { expect, onTestFinished, test } from "vitest"
import { scriptPlace } from "./script-place.ts"
import { run } from "./test/hooked-runtime.ts"

const guard = "exit 2"

/** A project whose hook was trusted, and the checkout of a task. */
async function trusted(command: string, files: Record<string, string>, links: Record<string, string> = {}) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-scripts-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const at = (name: string) => path.join(root, name)
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
  for (const [name, text] of Object.entries({ "task/a.txt": "", "task/sub/a.txt": "", ...files })) put(name, text)
  for (const [name, target] of Object.entries(links)) symlinkSync(target, at(name))
  const places = { top: at("project"), level: at("project") }
  const handler = run(command)
  const found = await scriptsOfHooks({ Stop: [{ hooks: [handler] }] }, places)
  const scripts = { ...places, trusted: new Map(found.map((one) => [path.relative(places.top, one.file), one.sha256])) }
  const placeIn = async (cwd: string) => {
    const where = await scriptPlace({ scripts }, handler, { worktree: at(cwd.split("/")[0] ?? ""), cwd: at(cwd) })
    if ("problem" in where) return where.problem
    return { project: path.relative(root, where.projectDirectory), cwd: path.relative(root, where.cwd) }
  }
  return { put, at, placeIn }
}

test("a task's own scripts run while they are as trusted", async () => {
  const { placeIn, put } = await trusted("./check.sh", { "project/check.sh": guard, "task/check.sh": guard })
  expect(await placeIn("task")).toEqual({ project: "task", cwd: "task" })
  put("task/check.sh", "exit 0")
  expect(await placeIn("task")).toEqual({ project: "project", cwd: "project" })
})

test("a relative script that a task lacks is the project's", async () => {
  const { placeIn } = await trusted("bash ./check.sh", { "project/check.sh": guard })
  expect(await placeIn("task")).toEqual({ project: "project", cwd: "project" })
})

test("a file of a directory below takes no script's place", async () => {
  const { placeIn, put } = await trusted("./check.sh", { "project/check.sh": guard, "task/check.sh": guard })
  put("task/sub/check.sh", "exit 0")
  expect(await placeIn("task/sub")).toEqual({ project: "task", cwd: "task" })
})

test("a hook without scripts works where the session does", async () => {
  const { placeIn } = await trusted("npm test >&2 || exit 2", { "project/a.txt": "" })
  expect(await placeIn("task/sub")).toEqual({ project: "task", cwd: "task/sub" })
})

test("a script named by the project's variable leaves the directory alone", async () => {
  const { placeIn } = await trusted('bash "$CLAUDE_PROJECT_DIR"/check.sh', { "project/check.sh": guard })
  expect(await placeIn("task/sub")).toEqual({ project: "project", cwd: "task/sub" })
})

test.each(["check.sh", "scripts"])("a link that leads out takes no script's place (%s)", async (changed) => {
  const { placeIn, at } = await trusted(
    "./check.sh",
    { "project/scripts/check.sh": guard, "task/scripts/check.sh": guard },
    { "project/check.sh": "scripts/check.sh", "task/check.sh": "scripts/check.sh" },
  )
  expect(await placeIn("task")).toEqual({ project: "task", cwd: "task" })
  rmSync(at(`task/${changed}`), { recursive: true })
  symlinkSync("/tmp/of-commands-alone", at(`task/${changed}`))
  expect(await placeIn("task")).toEqual({ project: "project", cwd: "project" })
})

test("a program outside of the project is run where it was", async () => {
  const { placeIn, at } = await trusted("./node x.js", { "project/a.txt": "" }, { "project/node": process.execPath })
  expect(await placeIn("project")).toEqual({ project: "project", cwd: "project" })
  rmSync(at("project/node"))
  symlinkSync("/bin/sh", at("project/node"))
  expect(await placeIn("project")).toContain("node changed since you trusted")
})

test.each([
  ["changed", "./check.sh", "check.sh changed since you trusted"],
  ["is gone", "./gone.sh", "gone.sh is not there any more"],
  ["came later", "test -e later.sh && ./later.sh", "later.sh changed since you trusted"],
  ["is too large to look at", "./large.sh", "large.sh cannot be looked at"],
])("a script that %s does not run", async (_what, command, problem) => {
  const { placeIn, put, at } = await trusted(command, {
    "project/check.sh": guard,
    "project/gone.sh": guard,
    "project/large.sh": "#".repeat(1024 * 1024 + 1),
  })
  put("project/check.sh", "exit 0")
  put("project/later.sh", "exit 0")
  rmSync(at("project/gone.sh"))
  expect(await placeIn("project")).toContain(problem)
})
