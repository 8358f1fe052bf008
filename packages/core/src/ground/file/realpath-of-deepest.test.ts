import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { realpathOfDeepest, realpathsOfDeepest } from "./realpath-of-deepest.ts"

let top: string
beforeEach(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "docket-realpath-")))
  await mkdir(join(top, "there/below"), { recursive: true })
  await writeFile(join(top, "there/file"), "")
  await symlink("there", join(top, "link"))
  await symlink("missing/target", join(top, "dangling"))
  await symlink("dangling/more", join(top, "twice"))
  await symlink("loop", join(top, "loop"))
})
afterEach(() => rm(top, { recursive: true }))

it("several paths are resolved like each of them alone", async () => {
  const cases = {
    "there/below": "there/below",
    "there/file": "there/file",
    "there/file/a": "there/file/a",
    "link/below/a/b": "there/below/a/b",
    "link/a": "there/a",
    dangling: "missing/target",
    "dangling/a/b": "missing/target/a/b",
    "twice/a": "missing/target/more/a",
    "gone/a": "gone/a",
    "gone/b/c": "gone/b/c",
  }
  const paths = Object.keys(cases).map((path) => join(top, path))
  const expected = Object.values(cases).map((path) => join(top, path))
  expect(await realpathsOfDeepest(["/", ...paths])).toEqual(["/", ...expected])
  expect(await Promise.all(paths.map((path) => realpathOfDeepest(path)))).toEqual(expected)
})

it("a loop of links is refused, also among other paths", async () => {
  const looping = [join(top, "there"), join(top, "loop/a")]
  await expect(realpathsOfDeepest(looping)).rejects.toThrow("is a loop of symbolic links")
  await expect(realpathOfDeepest(join(top, "loop"))).rejects.toThrow("is a loop of symbolic links")
})
