import { execFileSync } from "node:child_process"
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { openChecked } from "../../acts/tool/checked-file.ts"
import { readTextFile } from "../../acts/tool/text-file.ts"
import { createSnapshots } from "./create-snapshots.ts"
import { watchedGit } from "./test/watched-git.ts"

async function setUp(objectFormat = "sha1") {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-named-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const worktree = join(root, "project")
  await mkdir(worktree)
  const run = (...args: string[]) => execFileSync("git", args, { cwd: worktree, stdio: ["ignore", "pipe", "ignore"] })
  run("init", "-q", `--object-format=${objectFormat}`)
  const git = await watchedGit(join(root, "bin"))
  const snapshots = createSnapshots({
    root: join(root, "data", "snapshots"),
    dataDirectory: join(root, "data"),
    env: { PATH: git.PATH },
    clock: Date.now,
    onError: (error) => {
      throw error
    },
  })
  const place = { id: "prj_1", worktree }
  const write = async (name: string, text: string | Buffer) => {
    await mkdir(dirname(join(worktree, name)), { recursive: true })
    await writeFile(join(worktree, name), text)
  }
  return { root, worktree, run, git, snapshots, place, write }
}

describe("single files in snapshots", () => {
  for (const objectFormat of ["sha1", "sha256"]) {
    test(`are kept as git keeps them, without starting it: ${objectFormat}`, async () => {
      const { worktree, git, snapshots, place, write } = await setUp(objectFormat)
      const names = ["a", "a.b", "a0", "a-b/y", "d/x", "d/e/f", "d.c", "ü mlaut", ":odd", "[x]", "Z/1", "d-"]
      for (const name of names) await write(name, `${name}\r\n`)
      await write("empty", "")
      await write("large", Buffer.alloc(2 * 1024 * 1024 + 1))
      await write("run.sh", "#!/bin/sh\n")
      await chmod(join(worktree, "run.sh"), 0o755)
      await symlink("nowhere", join(worktree, "link"))
      const paths = [...names, "empty", "large", "run.sh", "link", "missing", "d/missing", "none/at/all"]
      await snapshots.ofFiles(place, new Map())
      // Waits for the pruning after the first snapshot.
      await snapshots.changes(place, "", "")
      const before = await git.calls()
      const files = await snapshots.keep(place, paths)
      const snapshot = await snapshots.ofFiles(place, files)
      expect(await git.calls()).toEqual(before)
      expect(files.get("missing")).toBeNull()
      expect(await snapshots.take(place)).toBe(snapshot)
      const none = await snapshots.ofFiles(place, new Map([["missing", null]]))
      expect((await snapshots.changes(place, none, snapshot)).map(({ path }) => path).toSorted()).toEqual(
        paths.filter((path) => files.get(path) !== null).toSorted(),
      )
    })
  }

  test("are kept while a prune removes empty directories", async () => {
    const { root, snapshots, place, write } = await setUp()
    const names = Array.from({ length: 100 }, (_, index) => `${index}`)
    for (const name of names) await write(name, name)
    await snapshots.ofFiles(place, new Map())
    await snapshots.settled()
    const project = join(root, "data", "snapshots", place.id)
    const objects = join(project, (await readdir(project))[0] ?? "", "objects")
    const directories = Array.from({ length: 256 }, (_, index) => join(objects, index.toString(16).padStart(2, "0")))
    let isKept = false
    /** As `git prune` does, a few times. */
    const prune = async (directory: string) => {
      for (let removed = 0; removed < 3 && !isKept; )
        removed += await rmdir(directory).then(
          () => 1,
          () => 0,
        )
    }
    const kept = snapshots.keep(place, names).finally(() => {
      isKept = true
    })
    const [files] = await Promise.all([kept, ...directories.map(prune)])
    expect([...files.values()].filter((state) => state !== null)).toHaveLength(100)
  })

  test("equal those of a full snapshot", async () => {
    const { worktree, run, snapshots, place, write } = await setUp()
    await write(".gitignore", "*.log\nforced\n:odd\nbuild/\n")
    await write("sub/.gitignore", "!kept.log\n")
    await write("forced", "x")
    await write("inner/file", "x")
    await writeFile(join(worktree, ".git", "info", "exclude"), "secret\n")
    execFileSync("git", ["init", "-q"], { cwd: join(worktree, "inner") })
    run("add", "-f", "forced")
    const included = ["plain", "sub/kept.log", "forced", "./odd"]
    const excluded = ["one.log", "sub/deep/two.log", ":odd", "secret", "inner/file", "build/out"]
    for (const name of [...included, ...excluded]) await write(name, "x")
    const kept = await snapshots.kept(place, [...included, ...excluded])
    expect(kept).toEqual(included)
    const all = await snapshots.files(place, await snapshots.take(place))
    expect([...included, ...excluded].map((path) => path.replace("./", "")).filter((path) => all.has(path))).toEqual(
      kept.map((path) => path.replace("./", "")),
    )
  })

  test("are read again only when they changed", async () => {
    const { worktree, snapshots, place, write } = await setUp()
    const file = join(worktree, "a.txt")
    const read = async () => {
      await using handle = await openChecked(file)
      return await readTextFile(handle, "a.txt")
    }
    const changes: Record<string, () => Promise<unknown>> = {
      "a write of the same size": () => write("a.txt", "two\n"),
      "another file in its place": async () => {
        await write("new.txt", "two\n")
        await rename(join(worktree, "new.txt"), file)
      },
      "the right to execute": () => chmod(file, 0o755),
      "its removal": () => rm(file),
      "a link in its place": async () => {
        await rm(file)
        await symlink("b.txt", file)
      },
    }
    for (const [name, change] of Object.entries(changes)) {
      await rm(file, { force: true })
      await write("a.txt", "one\n")
      // A write at the same moment could leave the same timestamp, so the timestamps are set explicitly.
      const ahead = Date.now() / 1_000 + 60.1234567
      await utimes(file, ahead, ahead)
      expect((await read()).stamp).toBeNull()
      const past = Math.floor(Date.now() / 1_000) - 2.1234567
      await utimes(file, past, past)
      // Bytes that are not those of the file show whether it is read again.
      const known = { ...(await read()), bytes: Buffer.from("not read\n") }
      const unread = await snapshots.keep(place, ["a.txt"], new Map([["a.txt", known]]))
      expect(unread).not.toEqual(await snapshots.keep(place, ["a.txt"]))
      await change()
      const kept = await snapshots.keep(place, ["a.txt"], new Map([["a.txt", known]]))
      expect(kept, name).toEqual(await snapshots.keep(place, ["a.txt"]))
    }
  })

  test("exclude git's own files and link targets", async () => {
    const { root, worktree, snapshots, place, write } = await setUp()
    await write("d/file", "1")
    await write(".GIT/file", "1")
    expect(await snapshots.kept(place, ["d/file", ".git/config", ".GIT/file", "d/.git"])).toEqual(["d/file"])
    const before = await snapshots.ofFiles(place, await snapshots.keep(place, ["d/file"]))
    await mkdir(join(root, "outside"))
    await writeFile(join(root, "outside", "file"), "secret")
    await rm(join(worktree, "d"), { recursive: true })
    await symlink(join(root, "outside"), join(worktree, "d"))
    const after = await snapshots.keep(place, ["d/file"])
    expect([...after]).toEqual([["d/file", null]])
    expect(await snapshots.changes(place, before, await snapshots.ofFiles(place, after))).toMatchObject([{ to: null }])
  })

  test("are checked against git's ignore rules once, and after relevant changes", async () => {
    const { run, git, snapshots, place, write } = await setUp()
    await write("a/b/file", "x")
    expect(await snapshots.kept(place, ["a/b/file"])).toEqual(["a/b/file"])
    const callsSoFar = (await git.calls()).length
    expect(await snapshots.kept(place, ["a/b/file"])).toEqual(["a/b/file"])
    expect(await git.calls()).toHaveLength(callsSoFar)
    await write("a/.gitignore", "file\n")
    expect(await snapshots.kept(place, ["a/b/file"])).toEqual([])
    run("add", "-f", "a/b/file")
    expect(await snapshots.kept(place, ["a/b/file"])).toEqual(["a/b/file"])
  })
})

test("a full snapshot asks git once if unchanged, including tracked ignored files", async () => {
  const { run, git, snapshots, place, worktree, write } = await setUp()
  await write(".gitignore", "dist\n")
  await write("dist/out", "1")
  run("add", "-f", "dist/out")
  await write("file", "x")
  const files = async () => [...(await snapshots.files(place, await snapshots.take(place))).keys()]
  expect(await files()).toEqual([".gitignore", "dist/out", "file"])
  // Deleted and created again, as by a build: the project's index does not change.
  await rm(join(worktree, "dist"), { recursive: true })
  expect(await files()).toEqual([".gitignore", "file"])
  await write("dist/out", "2")
  expect(await files()).toEqual([".gitignore", "dist/out", "file"])
  run("rm", "-q", "-f", "--cached", "dist/out")
  await snapshots.take(place)
  const before = (await git.calls()).length
  await snapshots.take(place)
  expect((await git.calls()).slice(before)).toEqual(["ls-files"])
})

test("an ignored, missing submodule does not affect the rest of a snapshot", async () => {
  const { run, snapshots, place, worktree, write } = await setUp()
  run("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`)
  await mkdir(join(worktree, "sub"))
  await write(".gitignore", "sub\n")
  await write("file", "x")
  const files = await snapshots.files(place, await snapshots.take(place))
  expect([...files.keys()]).toEqual([".gitignore", "file"])
})
