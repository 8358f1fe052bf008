import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { sandboxLack } from "../../acts/tool/test/sandbox-fixture.ts"
import { equipped } from "./test/equipped.ts"

const lack = await sandboxLack()
if (lack !== null) console.warn(`Tool files of others are not tried in the sandbox: ${lack}`)

/** Tool files that others wrote for OpenCode, as their package has them. */
const theirs = path.join(import.meta.dirname, "../../../node_modules/ecc-universal/.opencode")
const names = [
  "changed-files",
  "check-coverage",
  "format-code",
  "git-summary",
  "lint-check",
  "run-tests",
  "security-audit",
]

function filesOf(directory: string): Record<string, string> {
  const found = readdirSync(path.join(theirs, directory), { withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    found.map(({ name }) => [
      `.opencode/${directory}/${name}`,
      readFileSync(path.join(theirs, directory, name), "utf8"),
    ]),
  )
}

const manifest = JSON.stringify({
  name: "p",
  scripts: { test: "echo tested" },
  devDependencies: { prettier: "3", eslint: "9" },
})
const coverage = JSON.stringify({
  total: Object.fromEntries(
    ["lines", "functions", "branches", "statements"].map((kind) => [
      kind,
      { total: 4, covered: 3, skipped: 0, pct: 75 },
    ]),
  ),
})

/** Each tool with arguments, and what its result says. */
const calls: [name: string, input: object, said: RegExp][] = [
  ["git-summary", { depth: 1 }, /"branch":"main".*first commit/s],
  ["run-tests", { pattern: "some" }, /"command":"npm run test -- some"/],
  ["check-coverage", { threshold: 80 }, /"percentage":75\}.*"passed":false/],
  ["security-audit", { type: "secrets" }, /"Secret Detection".*"status":"passed"/],
  ["format-code", { filePath: "src/a.ts" }, /"command":"npx prettier --write src\/a\.ts"/],
  ["lint-check", { target: "src" }, /"command":"npx eslint src"/],
  ["changed-files", {}, /No files changed in this session/],
]

describe.each([
  ["in the sandbox", true],
  ["without it", false],
])("tool files of others %s", (_where, sandboxed) => {
  test.skipIf(sandboxed && lack !== null)("are offered and run unchanged", async () => {
    const {
      host,
      directory,
      trust,
      calls: asked,
      call,
      results,
    } = await equipped(
      {
        ...filesOf("tools"),
        ...filesOf("plugins/lib"),
        "package.json": manifest,
        "src/a.ts": "export const a = 1\n",
        "coverage/coverage-summary.json": coverage,
      },
      { sandboxed },
    )
    await using _ = host
    const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, stdio: "pipe" })
    git("init", "-q", "-b", "main")
    git("add", "src")
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "first commit")
    expect((await trust()).map((entry) => entry.at(-1)).sort()).toEqual([...names, "index"].sort())

    const { tools, problems } = await host.runtime.tool.list(host.session.projectID, { agent: "build" })
    expect(problems).toEqual([])
    expect(tools.filter(({ withheld }) => withheld === null).map(({ name }) => name)).toEqual(
      expect.arrayContaining([...names, "index_runTests"]),
    )
    await call(...calls.map(([tool, input]) => ({ tool, input })))
    expect(asked.length).toBeGreaterThan(0)
    expect(results).toHaveLength(calls.length)
    for (const [index, [name, , said]] of calls.entries()) expect(results[index], name).toMatch(said)
  })
})
