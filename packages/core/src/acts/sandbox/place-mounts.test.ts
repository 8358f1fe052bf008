import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { placeMounts } from "./place-mounts.ts"

/** What a place that only reads the project may do to each of these, below the project. */
function kindsOf(changes: readonly string[], options: readonly string[] = [], modules: readonly string[] = []) {
  const worktree = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-mounts-")))
  onTestFinished(() => rmSync(worktree, { recursive: true, force: true }))
  execFileSync("git", ["init", "-q", ...options], { cwd: worktree })
  for (const module of modules) execFileSync("git", ["init", "-q", "--bare", path.join(worktree, module)])
  mkdirSync(path.join(worktree, "docs"))
  writeFileSync(path.join(worktree, "docket.json"), "{}")
  const mounts = placeMounts(
    {
      ...{
        project: "p",
        worktree,
        directory: worktree,
        readable: [],
        writable: [],
        hidden: [],
        variables: [],
        hosts: [],
      },
      ...{ isReadOnly: true, changes: changes.map((change) => path.join(worktree, change)) },
    },
    path.join(worktree, "none"),
  )
  const kindOf = (name: string) => mounts.find((mount) => mount.path === path.join(worktree, name))?.kind
  const ofGit = () =>
    mounts.flatMap((mount) => {
      const file = path.relative(worktree, mount.path)
      return file.startsWith(".git") ? [{ kind: mount.kind, path: file }] : []
    })
  return Object.assign(kindOf, { ofGit })
}

test("places that are changed are writable in a project that is read", () => {
  const kindOf = kindsOf(["docs"])
  expect(["", "docs", ".git"].map(kindOf)).toEqual(["read", "write", "held-read"])
})

test("a place that is read and changed is writable", () => {
  const place = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-mounts-")))
  onTestFinished(() => rmSync(place, { recursive: true, force: true }))
  const both = { readable: [place], writable: [], changes: [place], isReadOnly: true } as const
  const mounts = placeMounts(
    { project: "p", worktree: tmpdir(), directory: tmpdir(), hidden: [], variables: [], hosts: [], ...both },
    path.join(place, "none"),
  )
  expect(mounts).toContainEqual({ kind: "write", path: place })
})

test("a project that is changed keeps git's directory and settings", () => {
  const kindOf = kindsOf([""])
  expect(["", ".git", ".git/config", "docket.json"].map(kindOf)).toEqual([
    "write",
    "held-read",
    "held-read",
    "held-read",
  ])
})

test("a project that is changed keeps git's directories of submodules", () => {
  const mounts = kindsOf(["", ".git/modules/x"], [], [".git/modules/x", ".git/modules/libs/y"]).ofGit()
  expect(mounts.map(({ path: file }) => file)).toContain(".git/modules/x")
  expect(mounts.filter(({ kind }) => !["read", "held-read"].includes(kind))).toEqual([])
})

test("a linked worktree that is changed keeps the name of git's directory", () => {
  const elsewhere = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-mounts-")))
  onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }))
  const kindOf = kindsOf([""], ["--separate-git-dir", path.join(elsewhere, "git")])
  expect(["", ".git"].map(kindOf)).toEqual(["write", "held-read"])
})

test("a project that is read needs no directory of git's hooks", () => {
  const withHooks = kindsOf([])
  const kindOf = kindsOf([], ["--template="])
  expect(withHooks(".git/hooks")).toBe("held-read")
  expect([".git", ".git/hooks"].map(kindOf)).toEqual(["held-read", undefined])
  expect(kindsOf([""], ["--template="])(".git/hooks")).toBeUndefined()
})
