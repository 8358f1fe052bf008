import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { readGitState } from "./git-state.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-git-state-"))
})
afterEach(() => rm(root, { recursive: true }))

const env = process.env
const git = (directory: string, ...args: string[]) =>
  execFileSync("git", ["-C", directory, "-c", "user.name=T", "-c", "user.email=t@t", ...args], { stdio: "pipe" })
const commit = (directory: string, message: string) => git(directory, "commit", "-q", "--allow-empty", "-m", message)

it("reads the branch, the uncommitted changes and the distance to its upstream", async () => {
  const [origin, clone] = [join(root, "origin"), join(root, "clone")]
  git(root, "init", "-q", "-b", "main", origin)
  commit(origin, "one")
  git(root, "clone", "-q", origin, clone)
  expect(await readGitState(clone, env)).toEqual({ branch: "main", ahead: 0, behind: 0, changed: 0 })
  commit(clone, "mine")
  commit(origin, "theirs")
  commit(origin, "theirs too")
  git(clone, "fetch", "-q")
  await writeFile(join(clone, "a.txt"), "a")
  await writeFile(join(clone, "b.txt"), "b")
  git(clone, "add", "a.txt")
  expect(await readGitState(clone, env)).toEqual({ branch: "main", ahead: 1, behind: 2, changed: 2 })
  git(clone, "checkout", "-q", "--detach")
  expect(await readGitState(clone, env)).toMatchObject({ branch: null, ahead: 0 })
})

it("is silent where git cannot tell", async () => {
  expect(await readGitState(root, env)).toBeNull()
  expect(await readGitState(join(root, "missing"), env)).toBeNull()
  expect(await readGitState(root, { PATH: "/nowhere" })).toBeNull()
})

it("runs no program that the repository names", async () => {
  git(root, "init", "-q")
  const [program, mark] = [join(root, "run.sh"), join(root, "..", `mark-${process.pid}`)]
  await writeFile(program, `#!/bin/sh\ntouch ${mark}\n`)
  await chmod(program, 0o755)
  git(root, "config", "core.fsmonitor", program)
  expect(await readGitState(root, env)).toMatchObject({ changed: 1 })
  expect(existsSync(mark)).toBe(false)
})
