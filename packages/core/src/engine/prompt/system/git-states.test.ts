import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { createGitStates, readGitState } from "./git-states.ts"

let root: string
let repository: string
let now = 0
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-git-states-"))
  repository = join(root, "repository")
  execFileSync("git", ["init", "-q", "-b", "main", repository])
  now = 0
})
afterEach(() => rm(root, { recursive: true }))

const gitIn = (directory: string, ...args: string[]) =>
  execFileSync("git", ["-C", directory, "-c", "user.name=T", "-c", "user.email=t@t", ...args], { stdio: "pipe" })
const git = (...args: string[]) => gitIn(repository, ...args)
const commit = (directory: string, message: string) => gitIn(directory, "commit", "-q", "--allow-empty", "-m", message)

/** A fixture whose git records each start. */
async function counted() {
  const [bin, log] = [join(root, "bin"), join(root, "log")]
  await mkdir(bin)
  const real = execFileSync("sh", ["-c", "command -v git"]).toString().trim()
  await writeFile(join(bin, "git"), `#!/bin/sh\necho "$*" >> ${log}\nexec ${real} "$@"\n`)
  await chmod(join(bin, "git"), 0o755)
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const readings = async () => (await readFile(log, "utf8")).split("\n").filter((line) => line.startsWith("status"))
  return { states: createGitStates({ env, now: () => now }), readings }
}

it("turns that begin together or soon after share one reading", async () => {
  const { states, readings } = await counted()
  const all = await Promise.all([states.of(repository), states.of(repository), states.of(repository)])
  now += 1_999
  for (const state of [...all, await states.of(repository)]) expect(state).toMatchObject({ branch: "main", changed: 0 })
  expect(await readings()).toHaveLength(1)
})

it("the git state is current after git commands and tool changes", async () => {
  const { states } = await counted()
  await states.of(repository)
  git("commit", "-q", "--allow-empty", "-m", "one")
  git("checkout", "-q", "-b", "other")
  expect(await states.of(repository)).toMatchObject({ branch: "other", changed: 0 })
  await writeFile(join(repository, "a.txt"), "a")
  states.changed(repository)
  expect(await states.of(repository)).toMatchObject({ changed: 1 })
  git("add", "a.txt")
  git("commit", "-q", "-m", "two")
  expect(await states.of(repository)).toMatchObject({ changed: 0 })
})

it("the git state shows other programs' changes after two seconds", async () => {
  const { states } = await counted()
  await states.of(repository)
  await writeFile(join(repository, "a.txt"), "a")
  now += 2_000
  expect(await states.of(repository)).toMatchObject({ changed: 1 })
})

it("the git state has branch, uncommitted changes and distance to its upstream", async () => {
  const [origin, clone] = [join(root, "origin"), join(root, "clone")]
  gitIn(root, "init", "-q", "-b", "main", origin)
  commit(origin, "one")
  gitIn(root, "clone", "-q", origin, clone)
  expect(await readGitState(clone, process.env)).toEqual({ branch: "main", ahead: 0, behind: 0, changed: 0 })
  commit(clone, "mine")
  commit(origin, "theirs")
  commit(origin, "theirs too")
  gitIn(clone, "fetch", "-q")
  await writeFile(join(clone, "a.txt"), "a")
  await writeFile(join(clone, "b.txt"), "b")
  gitIn(clone, "add", "a.txt")
  expect(await readGitState(clone, process.env)).toEqual({ branch: "main", ahead: 1, behind: 2, changed: 2 })
  gitIn(clone, "checkout", "-q", "--detach")
  expect(await readGitState(clone, process.env)).toMatchObject({ branch: null, ahead: 0 })
})

it("the git state is null where git fails", async () => {
  expect(await readGitState(root, process.env)).toBeNull()
  expect(await readGitState(join(root, "missing"), process.env)).toBeNull()
  expect(await readGitState(root, { PATH: "/nowhere" })).toBeNull()
})

it("reading the git state runs no program named by the repository", async () => {
  const [program, mark] = [join(repository, "run.sh"), join(root, "mark")]
  await writeFile(program, `#!/bin/sh\ntouch ${mark}\n`)
  await chmod(program, 0o755)
  git("config", "core.fsmonitor", program)
  expect(await readGitState(repository, process.env)).toMatchObject({ changed: 1 })
  expect(existsSync(mark)).toBe(false)
})
