import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
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

test("a self-test that is slow is no sandbox that is missing", async () => {
  const data = mkdtempSync(path.join(tmpdir(), "docket-slow-"))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  const program = path.join(data, "bwrap")
  const write = (script: string) => {
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o755)
  }
  const own = path.join(data, "data")
  mkdirSync(own)
  const sandbox = createSandbox({
    ...{ home: path.join(data, "home"), configDirectory: path.join(data, "config"), dataDirectory: own },
    ...{ env: { PATH: `${data}:/usr/bin:/bin` }, platform: "linux", clock: Date.now, selfTestMs: 500 },
  })
  // It says what it can do at once, and is slow to start a program.
  write('case "$1" in --help | --version) echo bubblewrap;; *) exec sleep 60;; esac')
  await expect(sandbox.state()).rejects.toThrow("its self-test took longer than 0.5 s")
  write("echo no user namespaces >&2; exit 1")
  expect(await sandbox.state()).toMatchObject({ state: "off", reason: expect.stringContaining("no user namespaces") })
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
