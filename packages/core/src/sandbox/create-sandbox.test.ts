import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createSandbox } from "./create-sandbox.ts"

test("whoever closes the sandbox waits for its self-test, and nothing is written after that", async () => {
  const data = mkdtempSync(path.join(tmpdir(), "docket-closing-"))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const sandbox = createSandbox({
    ...{ home: path.join(data, "home"), configDirectory: path.join(data, "config"), dataDirectory: data },
    ...{ env: process.env, platform: process.platform, clock: Date.now },
  })
  let isTested = false
  void sandbox.state().then(() => {
    isTested = true
  })
  await sandbox.close()
  expect(isTested).toBe(true)
  rmSync(data, { recursive: true })
  await expect(sandbox.state()).rejects.toThrow("Docket is stopping")
  expect(() => readdirSync(data)).toThrow("ENOENT")
})
