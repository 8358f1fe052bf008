import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { controlFiles, switchOff } from "./git-control.ts"

test("of very many new repositories, the settings of the last are switched off unread", async () => {
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
