import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createLeftovers } from "./leftovers.ts"
import { asNobody, giveToNobody, isRoot } from "./test/as-nobody.ts"

/** A project of a service that is not root. Files created between `before` and `look` stand for a command's work. */
function createFixture() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-left-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const project = path.join(root, "project")
  for (const name of ["project", "home"]) mkdirSync(path.join(root, name))
  giveToNobody(root)
  const leftovers = createLeftovers({ env: process.env, clock: Date.now })
  const place = {
    worktree: project,
    directory: project,
    roots: [project],
    skip: [],
    patterns: [],
    missing: [],
    home: path.join(root, "home"),
    aside: path.join(root, "aside"),
    left: path.join(root, "left"),
    allowed: async () => [],
  }
  return {
    in: (name: string) => path.join(project, name),
    run: (command: () => void) =>
      asNobody(async () => {
        const { look } = await leftovers.before(place)
        command()
        return await look()
      }),
  }
}

/** A repository that would start a program, in a directory with this mode. */
function makeRepository(directory: string, mode: number): void {
  for (const name of ["objects", "refs"]) mkdirSync(path.join(directory, name), { recursive: true })
  writeFileSync(path.join(directory, "HEAD"), "ref: refs/heads/main\n")
  writeFileSync(path.join(directory, "config"), "[core]\n\tfsmonitor = /evil\n")
  chmodSync(directory, mode)
}

test("leftovers in read-only directories are also switched off and moved", async () => {
  const fixture = createFixture()
  const left = await fixture.run(() => {
    makeRepository(fixture.in("s/.git"), 0o555)
    mkdirSync(fixture.in("a/.vscode"), { recursive: true })
    writeFileSync(fixture.in("a/.vscode/tasks.json"), "evil")
    for (const name of ["a/.vscode", "a"]) chmodSync(fixture.in(name), 0o555)
  })
  expect(left).toMatchObject([
    { kind: "switched-off", path: "s/.git/config", what: ["core.fsmonitor"] },
    { kind: "moved-aside", path: "a/.vscode" },
  ])
  expect(readFileSync(fixture.in("s/.git/config"), "utf8")).not.toMatch(/^\s*fsmonitor/m)
  expect(existsSync(fixture.in("a/.vscode"))).toBe(false)
})

test.skipIf(!isRoot)("leftovers that cannot be switched off or moved are reported every time", async () => {
  const fixture = createFixture()
  const left = await fixture.run(() => {
    process.seteuid?.(0)
    makeRepository(fixture.in("s/.git"), 0o755)
    mkdirSync(fixture.in("a/.claude"), { recursive: true })
    process.seteuid?.(65_534)
    mkdirSync(fixture.in("b/.vscode"), { recursive: true })
  })
  const still = [
    { kind: "still-there", path: "s/.git/config", what: ["config"] },
    { kind: "still-there", path: "a/.claude" },
  ]
  expect(left).toEqual(expect.arrayContaining(still.map((each) => expect.objectContaining(each))))
  expect(left).toContainEqual(expect.objectContaining({ kind: "moved-aside", path: "b/.vscode" }))
  expect(await fixture.run(() => {})).toMatchObject(still)
})
