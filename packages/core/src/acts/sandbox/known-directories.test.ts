import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createKnownDirectories } from "./known-directories.ts"
import { asNobody, giveToNobody } from "./test/as-nobody.ts"

function places(...names: string[]): string {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-known-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const name of names) mkdirSync(path.join(root, name), { recursive: true })
  return root
}

test("a root over its directory limit is reported; known directories are read", async () => {
  const root = places("a", "b")
  const directories = createKnownDirectories([root], { skip: [], clock: Date.now, most: 3 })
  expect(await directories.look(() => {})).toMatchObject({ read: 3, full: [] })
  mkdirSync(path.join(root, "a", "c", "d"), { recursive: true })
  mkdirSync(path.join(root, "e"))
  const read: string[] = []
  expect((await directories.look((directory) => read.push(directory))).full).toEqual([root])
  expect(read).toEqual(expect.arrayContaining([root, path.join(root, "a")]))
  expect(read).not.toContain(path.join(root, "e"))
  rmSync(path.join(root, "a"), { recursive: true })
  await directories.look(() => {})
  expect((await directories.look((directory) => read.push(directory))).full).toEqual([])
  expect(read).toContain(path.join(root, "e"))
})

test("an inaccessible directory is reported until it is gone", async () => {
  const root = places("p/s/.git", "p/t")
  const directories = createKnownDirectories([root], { skip: [], clock: Date.now })
  giveToNobody(root)
  await asNobody(async () => {
    await directories.look(() => {})
    chmodSync(path.join(root, "p"), 0o600)
    const { unread } = await directories.look(() => {})
    expect(unread.sort()).toEqual([path.join(root, "p", "s"), path.join(root, "p", "t")])
    expect((await directories.look(() => {})).unread).toHaveLength(2)
    chmodSync(path.join(root, "p"), 0o700)
    rmSync(path.join(root, "p"), { recursive: true })
    expect((await directories.look(() => {})).unread).toEqual([])
  })
})
