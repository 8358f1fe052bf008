import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { confinementOf } from "../sandbox/confinement.ts"
import { createSandbox } from "../sandbox/create-sandbox.ts"
import { createBashTool } from "./bash.ts"
import { sandboxLack } from "./test/sandbox-fixture.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

const lack = await sandboxLack()

test.skipIf(lack !== null)("a workspace's commands have their own home and see no other workspace", async () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-apart-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const fixture = createToolFixture()
  const data = path.join(root, "data")
  const [mine, other] = ["mine", "other"].map((id) => path.join(data, "workspaces", id))
  const theirs = path.join(root, "their-work")
  for (const directory of [mine, other, theirs]) mkdirSync(String(directory), { recursive: true })
  const secrets = [path.join(data, "docket.db"), path.join(String(other), "auth.json"), path.join(theirs, "a.txt")]
  for (const file of secrets) writeFileSync(file, "their secret")
  const sandbox = createSandbox({
    home: path.join(root, "home"),
    env: process.env,
    platform: process.platform,
    dataDirectory: data,
    ownDirectory: String(mine),
    configDirectory: path.join(root, "config"),
    clock: Date.now,
  })
  onTestFinished(() => sandbox.close())
  const context = {
    ...fixture.context,
    confinement: () => confinementOf(sandbox, { mode: "required" }, { projectID: "p", ...fixture.context }),
  }
  const bash = createBashTool({ env: { ...process.env, HOME: path.join(root, "home") }, clock: Date.now })
  const reads = secrets.map((file) => `cat '${file}'`).join("; ")
  const { output } = await bash.execute({ command: `${reads}; echo kept > ~/mark; echo ran` }, context)
  expect(output).toContain("ran")
  expect(output).not.toContain("their secret")
  expect(realpathSync(path.join(String(mine), "sandbox"))).toBeTruthy()
})
