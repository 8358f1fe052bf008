import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createGlance } from "./glance.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-glance-"))
})
afterEach(async () => {
  await chmod(root, 0o700)
  await rm(root, { recursive: true })
})

async function put(...names: string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), "")
  }
}

/** Those of the names that may be there. */
function present(...names: string[]): Promise<string[]> {
  return createGlance([root]).present(names, (name) => join(root, name))
}

test("what is missing is left out, and order stays", async () => {
  await put("b/two.md", "a.json")
  expect(await present("b/two.md", "c/d/e", "a.json", "b/one.md", "a.json/x", "b")).toEqual(["b/two.md", "a.json", "b"])
})

test("a base that is missing holds nothing", async () => {
  const glance = createGlance([join(root, "none")])
  expect(await glance.present([join(root, "none/a"), join(root, "none")], (path) => path)).toEqual([join(root, "none")])
})

test("what lies outside the bases may be there", async () => {
  expect(await present("../elsewhere", "here")).toEqual(["../elsewhere"])
})

test("links count, with what lies behind them", async () => {
  await put("real/one.md")
  await symlink("real", join(root, "linked"))
  await symlink("nowhere", join(root, "broken"))
  expect(await present("linked/one.md", "linked/two.md", "broken", "broken/x")).toEqual(["linked/one.md", "broken"])
})

test("names that some file system takes for one may be there", async () => {
  await put("agents.MD", ".claud\u200ce", "doc\u212aet")
  expect(await present("AGENTS.md", ".claude", "docket", "other")).toEqual(["AGENTS.md", ".claude", "docket"])
})

test("all may be there in a directory that holds too much", async () => {
  const names = Array.from({ length: 4_000 }, (_, n) => `${n}-${"x".repeat(40)}`)
  await Promise.all(names.map((name) => writeFile(join(root, name), "")))
  expect(await present("none")).toEqual(["none"])
})

test("one glance sees a directory as it was first listed", async () => {
  const glance = createGlance([root])
  const look = () => glance.present(["new"], (name) => join(root, name))
  expect(await look()).toEqual([])
  await put("new")
  expect([await look(), await present("new")]).toEqual([[], ["new"]])
})
