import { execFileSync } from "node:child_process"
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { createSnapshots } from "./create-snapshots.ts"
import { olderFiles } from "./read-changes.ts"

async function setUp(options: { dataInside?: boolean; objectFormat?: string } = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "docket-snapshot-")))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const worktree = join(root, "project")
  const dataDirectory = options.dataInside ? join(worktree, "data [x]") : join(root, "data")
  await mkdir(worktree)
  await mkdir(dataDirectory, { recursive: true })
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: worktree,
      stdio: ["ignore", "pipe", "ignore"],
    }).toString()
  git("init", "-q", `--object-format=${options.objectFormat ?? "sha1"}`)
  const errors: unknown[] = []
  const open = () =>
    createSnapshots({
      root: join(dataDirectory, "snapshots"),
      dataDirectory,
      env: { PATH: process.env.PATH },
      clock: Date.now,
      onError: (error) => errors.push(error),
    })
  const place = { id: "prj_1", worktree }
  const write = async (name: string, text: string | Buffer) => {
    await mkdir(join(worktree, name, ".."), { recursive: true })
    await writeFile(join(worktree, name), text)
  }
  const read = (name: string) => readFile(join(worktree, name), "utf8")
  const snapshots = open()
  const paths = async (from: string, to: string) => (await snapshots.changes(place, from, to)).map(({ path }) => path)
  return { root, worktree, dataDirectory, git, errors, open, snapshots, place, write, read, paths }
}

/** Git's own state of a project, to check that it does not change. */
async function gitState(worktree: string, git: (...args: string[]) => string) {
  return {
    index: await readFile(join(worktree, ".git", "index")).catch(() => null),
    refs: git("for-each-ref"),
    objects: git("count-objects"),
    config: await readFile(join(worktree, ".git", "config"), "utf8"),
    files: (await readdir(join(worktree, ".git"))).sort(),
  }
}

describe("snapshots of a project", () => {
  test("restore every changed file exactly and leave the project's git unchanged", async () => {
    const { worktree, git, snapshots, place, write, read, paths } = await setUp()
    await write("kept.txt", "kept\n")
    await write("changed.txt", "one\r\ntwo\n")
    await write("gone/deep.bin", Buffer.from([0, 255, 13, 10]))
    await write(".gitattributes", "* text=auto eol=crlf\n*.bin filter=none\n")
    await write("run.sh", "#!/bin/sh\n")
    await chmod(join(worktree, "run.sh"), 0o755)
    await symlink("kept.txt", join(worktree, "link"))
    git("add", "kept.txt")
    git("commit", "-qm", "one")
    const before = await gitState(worktree, git)
    const first = await snapshots.take(place)
    await write("changed.txt", "three\n")
    await write("new/file.txt", "new\n")
    await rm(join(worktree, "gone"), { recursive: true })
    await chmod(join(worktree, "run.sh"), 0o644)
    await unlink(join(worktree, "link"))
    await symlink("changed.txt", join(worktree, "link"))
    const second = await snapshots.take(place)
    expect(await paths(first, second)).toEqual(["changed.txt", "gone/deep.bin", "link", "new/file.txt", "run.sh"])
    const moved = await snapshots.move(place, second, first)
    expect(moved).toEqual({ moved: ["changed.txt", "gone/deep.bin", "link", "new/file.txt", "run.sh"], left: [] })
    expect(await read("changed.txt")).toBe("one\r\ntwo\n")
    expect(await readFile(join(worktree, "gone/deep.bin"))).toEqual(Buffer.from([0, 255, 13, 10]))
    expect(await readlink(join(worktree, "link"))).toBe("kept.txt")
    expect((await lstat(join(worktree, "run.sh"))).mode & 0o111).toBe(0o111)
    await expect(lstat(join(worktree, "new"))).rejects.toThrow()
    expect(await snapshots.take(place)).toBe(first)
    await snapshots.move(place, first, second)
    expect(await snapshots.take(place)).toBe(second)
    expect(await gitState(worktree, git)).toEqual(before)
  })

  test("leave out ignored files, Docket's data, other repositories and large untracked files", async () => {
    const { worktree, dataDirectory, git, snapshots, place, write } = await setUp({ dataInside: true })
    const large = Buffer.alloc(2 * 1024 * 1024 + 1, "x")
    await write(".gitignore", "ignored\nforced\n")
    await write("ignored", "x")
    await write("forced", "x")
    await write("tracked.bin", large)
    await write("untracked.bin", large)
    await write("secret", "x")
    await writeFile(join(worktree, ".git", "info", "exclude"), "secret\n")
    await writeFile(join(dataDirectory, "rows"), "x")
    await mkdir(join(worktree, "inner"))
    execFileSync("git", ["init", "-q"], { cwd: join(worktree, "inner") })
    await write("inner/file", "x")
    git("add", "-f", "forced", "tracked.bin")
    const files = await snapshots.files(place, await snapshots.take(place))
    expect([...files.keys()]).toEqual([".gitignore", "forced", "tracked.bin", "untracked.bin"])
    // This mode marks a file that is not kept.
    expect(files.get("untracked.bin")?.mode).toBe("160000")
    expect(files.get("tracked.bin")?.mode).toBe("100644")
  })

  test("never overwrite or delete a file that is too large to keep", async () => {
    const { worktree, snapshots, place, write } = await setUp()
    const large = Buffer.alloc(3 * 1024 * 1024, "x")
    await write("grew", "small")
    await write("shrank", large)
    const first = await snapshots.take(place)
    await write("grew", large)
    await write("shrank", "small")
    const second = await snapshots.take(place)
    const result = await snapshots.move(place, second, first)
    expect(result.moved).toEqual([])
    expect(result.left.map(({ path, reason }) => [path, reason])).toEqual([
      ["grew", "too_large"],
      ["shrank", "too_large"],
    ])
    expect((await lstat(join(worktree, "grew"))).size).toBe(large.length)
  })

  test("leave and report files that someone else changed; restore the rest", async () => {
    const { snapshots, place, write, read } = await setUp()
    await write("a", "1")
    await write("b", "1")
    const first = await snapshots.take(place)
    await write("a", "2")
    await write("b", "2")
    await write("c", "2")
    const second = await snapshots.take(place)
    await write("b", "mine")
    expect(await snapshots.move(place, second, first)).toEqual({
      moved: ["a", "c"],
      left: [{ path: "b", reason: "changed" }],
    })
    expect([await read("a"), await read("b")]).toEqual(["1", "mine"])
    // Repeated, as after a crash: the restored files are already right.
    expect((await snapshots.move(place, second, first)).moved).toEqual(["a", "c"])
  })

  test("distinguish files that only became visible from new and moved ones", async () => {
    const { worktree, snapshots, place, write } = await setUp()
    await write(".gitignore", "secret\n")
    await write("secret", "old")
    await write("moved", "moved")
    const first = await snapshots.take(place)
    await rm(join(worktree, ".gitignore"))
    await rename(join(worktree, "moved"), join(worktree, "here"))
    const changes = await snapshots.changes(place, first, await snapshots.take(place))
    expect(await olderFiles(worktree, changes, Date.now() + 60_000)).toEqual(new Set(["secret"]))
    expect(await olderFiles(worktree, changes, Date.now() - 60_000)).toEqual(new Set())
  })

  test("are refused with thousands of untracked files, immediately the second time", async () => {
    const { worktree, git, errors, snapshots, place, write } = await setUp()
    const names = Array.from({ length: 20_001 }, (_, index) => `f${index}`)
    execFileSync("xargs", ["touch"], { cwd: worktree, input: names.join("\n") })
    await expect(snapshots.take(place)).rejects.toThrow("20001 files that git neither tracks nor ignores")
    await write(".gitignore", "f*\n")
    await expect(snapshots.take(place)).rejects.toThrow("20001 files")
    expect(errors).toHaveLength(1)
    git("add", "-f", ".")
    const later = createSnapshots({
      root: join(worktree, "..", "later"),
      dataDirectory: worktree,
      env: { PATH: process.env.PATH },
      clock: Date.now,
      onError: (error) => errors.push(error),
    })
    expect((await later.files(place, await later.take(place))).size).toBe(20_002)
  })

  test("do not follow a link that took a directory's place", async () => {
    const { root, worktree, snapshots, place, write } = await setUp()
    await write("dir/file", "1")
    const first = await snapshots.take(place)
    await write("dir/file", "2")
    const second = await snapshots.take(place)
    await rm(join(worktree, "dir"), { recursive: true })
    await mkdir(join(root, "elsewhere"))
    await writeFile(join(root, "elsewhere", "file"), "2")
    await symlink(join(root, "elsewhere"), join(worktree, "dir"))
    expect((await snapshots.move(place, second, first)).left).toMatchObject([{ path: "dir/file" }])
    expect(await readFile(join(root, "elsewhere", "file"), "utf8")).toBe("2")
  })

  test("work again after git was killed, and in a SHA-256 repository", async () => {
    const { root, open, place, write } = await setUp({ objectFormat: "sha256" })
    await write("a", "1")
    await write("large", Buffer.alloc(3 * 1024 * 1024))
    const first = await open().take(place)
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    const [name = ""] = await readdir(join(root, "data", "snapshots", "prj_1"))
    await writeFile(join(root, "data", "snapshots", "prj_1", name, "index.lock"), "")
    await write("a", "2")
    const later = open()
    expect(await later.take(place)).not.toBe(first)
    expect(await later.withFiles(place, first, [])).toBe(first)
  })

  test("stay while later steps need them, even after an idle week", async () => {
    const { root, dataDirectory, errors, place, write } = await setUp()
    const clock = { now: Date.now() }
    const snapshots = createSnapshots({
      root: join(dataDirectory, "snapshots"),
      dataDirectory,
      env: { PATH: process.env.PATH },
      clock: () => clock.now,
      onError: (error) => errors.push(error),
    })
    await write("a", "1")
    await snapshots.take(place)
    // Waits for the pruning after the first snapshot.
    await snapshots.changes(place, "", "")
    const week = new Date(clock.now - 8 * 24 * 60 * 60_000)
    for (const entry of await readdir(join(root, "data"), { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), week, week)
    }
    clock.now += 8 * 24 * 60 * 60_000
    const before = await snapshots.take(place)
    await write("a", "2 by a step")
    const after = await snapshots.take(place)
    clock.now += 2 * 60 * 60_000
    await snapshots.take(place)
    expect((await snapshots.move(place, after, before)).moved).toEqual(["a"])
    expect(errors).toEqual([])
  })

  test("are settled only after old objects are deleted", async () => {
    const { dataDirectory, snapshots, place, write } = await setUp()
    await write("a", "1")
    await snapshots.take(place)
    await snapshots.settled()
    const directory = join(dataDirectory, "snapshots", place.id)
    const [name = ""] = await readdir(directory)
    const old = join(directory, name, "objects", "ab", "c".repeat(38))
    await mkdir(join(old, ".."), { recursive: true })
    await writeFile(old, "")
    await utimes(old, 1, 1)
    const clock = Date.now() + 2 * 60 * 60_000
    const later = createSnapshots({
      ...{ root: join(dataDirectory, "snapshots"), dataDirectory, env: { PATH: process.env.PATH } },
      clock: () => clock,
      onError: () => {},
    })
    await later.take(place)
    await later.settled()
    await expect(readFile(old)).rejects.toThrow("ENOENT")
  })

  test("copy nothing that the project's git holds, and expire after seven days", async () => {
    const { root, git, snapshots, place, write } = await setUp()
    await write("a", "x".repeat(100_000))
    git("add", "a")
    git("commit", "-qm", "one")
    const hash = await snapshots.take(place)
    const directory = join(root, "data", "snapshots", "prj_1")
    const [name = ""] = await readdir(directory)
    const count = execFileSync("git", [`--git-dir=${join(directory, name)}`, "count-objects", "-v"]).toString()
    expect(count).toMatch(/^count: [01]$/m)
    expect([...(await snapshots.files(place, hash)).keys()]).toEqual(["a"])
    await snapshots.sweep()
    expect(await readdir(directory)).toEqual([name])
    const old = new Date(Date.now() - 8 * 24 * 60 * 60_000)
    for (const file of ["index", "HEAD"]) await utimes(join(directory, name, file), old, old)
    await snapshots.sweep()
    expect(await readdir(directory)).toEqual([])
  })
})
