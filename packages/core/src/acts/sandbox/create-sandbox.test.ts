import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createSandbox } from "./create-sandbox.ts"
import { clearTemporary } from "./private-directories.ts"

test("closing the sandbox waits for its self-test; nothing is written afterwards", async () => {
  const data = mkdtempSync(path.join(tmpdir(), "docket-closing-"))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const sandbox = createSandbox({
    home: path.join(data, "home"),
    configDirectory: path.join(data, "config"),
    dataDirectory: data,
    env: process.env,
    platform: process.platform,
    clock: Date.now,
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

test("the start clears own leftovers and keeps files of others", async () => {
  const root = mkdtempSync(path.join(tmpdir(), "docket-left-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const directory of ["closed-abc", "project/tmp", "project/home"])
    mkdirSync(path.join(root, directory), { recursive: true })
  for (const file of ["system-calls-17.bpf", "closed-abc/0", "project/tmp/x", "project/home/x", ".DS_Store"])
    writeFileSync(path.join(root, file), "")
  await clearTemporary(root)
  expect(readdirSync(root).toSorted()).toEqual([".DS_Store", "project"])
  expect(existsSync(path.join(root, "project/home/x"))).toBe(true)
  expect(existsSync(path.join(root, "project/tmp"))).toBe(false)
})
