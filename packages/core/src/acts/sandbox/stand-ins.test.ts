import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { shutDirectory, standInsFor } from "./stand-ins.ts"
import { asNobody, giveToNobody } from "./test/as-nobody.ts"

function place() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-stand-ins-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const file = path.join(root, "project", "config", "inner", ".env")
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, "TOKEN=hunter2\n", { mode: 0o700 })
  mkdirSync(path.join(root, "data"))
  return { root, file, config: path.join(root, "project", "config"), data: path.join(root, "data") }
}

test("a stand-in copies the file's facts and disappears with its command", () => {
  const { file, data } = place()
  const { mounts, remove } = standInsFor([file, `${file}.gone`], data)
  const [mount] = mounts
  expect(mounts).toEqual([{ kind: "closed-file", path: file, standIn: expect.stringContaining(data) }])
  const [facts, real] = [statSync(mount?.kind === "closed-file" ? mount.standIn : ""), statSync(file)]
  expect([facts.size, facts.mode & 0o777]).toEqual([real.size, 0o100])
  expect(Math.floor(facts.mtimeMs / 1_000)).toBe(Math.floor(real.mtimeMs / 1_000))
  remove()
  expect(readdirSync(data)).toEqual([])
})

test.each([
  ["can only be listed", 0o444],
  ["is closed", 0o000],
] as const)("a file behind a directory that %s is protected by closing it", async (_, mode) => {
  const { root, file, config, data } = place()
  chmodSync(config, mode)
  giveToNobody(root)
  onTestFinished(() => chmodSync(config, 0o755))
  await asNobody(async () => {
    const { mounts, remove } = standInsFor([file], data)
    expect(mounts).toEqual([{ kind: "shut-directory", path: config }])
    expect(shutDirectory(path.dirname(file))).toEqual({ kind: "shut-directory", path: config })
    remove()
  })
})

test("too many files to mount are refused with advice", () => {
  const files = Array.from({ length: 1_001 }, (_, index) => `/project/${index}.env`)
  expect(() => standInsFor(files, "/data")).toThrow(/1001 files.*at most 1000.*"hide"/)
})
