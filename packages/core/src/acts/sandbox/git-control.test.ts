import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { controlFiles, switchOff } from "./git-control.ts"

test("with too many new repositories, the last settings are switched off unread", async () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-control-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directories = ["a", "b", "c", "d"].map((name) => path.join(root, name))
  for (const directory of directories) {
    mkdirSync(directory)
    writeFileSync(path.join(directory, "config"), "[user]\n\tname = A\n")
  }
  const judging = { roots: [root], gitDirectories: new Set(directories), isAllowed: () => false, env: process.env }
  const files = controlFiles(directories, [])
  const off = await switchOff(files, { ...judging, before: new Map(), most: 2 })
  expect(off.map(({ file }) => path.relative(root, file))).toEqual(["c/config", "d/config"])
  expect(existsSync(path.join(root, "b", "config"))).toBe(true)
  expect(existsSync(path.join(root, "d", "config.switched-off"))).toBe(true)
})

test("an allowed `.git` file that points through a symlink is switched off", async () => {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-control-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const directories = ["a", "b"].map((name) => path.join(root, name))
  for (const directory of [...directories, path.join(root, "far")]) mkdirSync(directory)
  symlinkSync("far", path.join(root, "link"))
  writeFileSync(path.join(root, "a", ".git"), "gitdir: ../far\n")
  writeFileSync(path.join(root, "b", ".git"), "gitdir: ../link\n")
  const judging = { roots: [root], gitDirectories: new Set<string>(), isAllowed: () => true, env: process.env }
  const off = await switchOff(controlFiles([], directories), { ...judging, before: new Map() })
  expect(off.map(({ file }) => path.relative(root, file))).toEqual(["b/.git"])
})
