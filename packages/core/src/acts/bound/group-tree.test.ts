import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { groupOver, groupUse, usedItsMemory } from "./command-group.ts"
import { findGroupTree } from "./group-tree.ts"

const limits = { processes: 100, memory: 5_000_000, files: 64, written: 1 }

/** A directory with the files that the kernel shows for a systemd unit with a delegated group. */
function unit({ controllers = "cpu memory pids", members = [41, 42] } = {}) {
  const root = mkdtempSync(path.join(tmpdir(), "docket-groups-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const base = path.join(root, "docket.service")
  mkdirSync(base)
  const write = (file: string, text: string) => writeFileSync(path.join(root, file), text)
  write("docket.service/cgroup.controllers", `${controllers}\n`)
  write("docket.service/cgroup.procs", members.join("\n"))
  write("docket.service/cgroup.subtree_control", "")
  const facts = {
    mounts: `22 1 0:5 / /proc rw - proc proc rw\n30 22 0:27 /system.slice ${root} rw,nosuid - cgroup2 cgroup2 rw,nsdelegate`,
    own: "0::/system.slice/docket.service\n",
    pid: 42,
    isOwn: (pid: number) => pid === 41 || pid === 42,
    isRunning: (pid: number) => pid === 42,
  }
  return { root, base, write, facts, read: (file: string) => readFileSync(path.join(base, file), "utf8") }
}

test("with version 2 groups, the service gets one beside those of commands", () => {
  const { facts, read, base } = unit()
  const tree = findGroupTree(facts)
  expect(tree?.version).toBe(2)
  // A real file keeps only what was written last; the kernel takes one process at a time.
  expect(read("docket-42/cgroup.procs")).toBe("42")
  expect(read("cgroup.subtree_control")).toBe("+pids +memory")
  expect(read("docket-42-commands/cgroup.subtree_control")).toBe("+pids +memory")
  tree?.setTotal(9_000_000)
  expect(read("docket-42-commands/memory.max")).toBe("9000000")
  const group = tree?.make("command-1", limits)
  expect(group).toEqual({
    version: 2,
    processes: path.join(base, "docket-42-commands/command-1"),
    memory: group?.memory,
  })
  const set = Object.fromEntries(
    readdirSync(group?.processes ?? "").map((file) => [file, read(`docket-42-commands/command-1/${file}`)]),
  )
  expect(set).toEqual({ "pids.max": "100", "memory.max": "5000000", "memory.oom.group": "1", "memory.swap.max": "0" })
})

test.each([
  ["the group has no limits of processes", { controllers: "cpu memory" }],
  ["others live in the group too", { members: [42, 77] }],
])("with version 2 groups, the service stays where it is when %s", (_, given) => {
  const { facts, base } = unit(given)
  expect(findGroupTree(facts)).toBeNull()
  expect(readdirSync(base)).toHaveLength(3)
})

test("a version 2 group reports usage and the limit the kernel enforced", () => {
  const { facts, write } = unit()
  const group = findGroupTree(facts)?.make("command-1", limits)
  if (group === undefined) throw new Error("no group")
  const at = "docket.service/docket-42-commands/command-1"
  write(`${at}/cgroup.procs`, "50\n51\n")
  write(`${at}/pids.current`, "9\n")
  write(`${at}/memory.stat`, "anon 4000\nfile 900000\nshmem 2000\n")
  write(`${at}/pids.events`, "max 0\n")
  write(`${at}/memory.events`, "low 0\noom 0\noom_kill 0\n")
  expect(groupUse(group)).toEqual({ pids: [50, 51], processes: 9, memory: 6_000 })
  expect(groupOver(group)).toBeNull()
  write(`${at}/memory.events`, "low 0\noom 1\noom_kill 2\n")
  expect(groupOver(group)).toBe("memory")
  write(`${at}/memory.peak`, "1000000\n")
  expect(usedItsMemory(group)).toBe(false)
  write(`${at}/memory.peak`, "5000000\n")
  expect(usedItsMemory(group)).toBe(true)
  write(`${at}/pids.events`, "max 3\n")
  expect(groupOver(group)).toBe("processes")
})

test("version 1 groups limit processes and memory; those of dead services go", () => {
  const root = mkdtempSync(path.join(tmpdir(), "docket-groups-"))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const directory of ["pids/docket-7-old/command-1", "memory/box/docket-7-old", "pids/docket-42-new"])
    mkdirSync(path.join(root, directory), { recursive: true })
  const mount = (name: string) => `30 22 0:27 / ${path.join(root, name)} rw - cgroup cgroup rw,${name}`
  const tree = findGroupTree({
    mounts: [mount("pids"), mount("memory")].join("\n"),
    own: "8:pids:/\n4:memory:/box\n0::/\n",
    pid: 42,
    isOwn: () => true,
    isRunning: (pid) => pid === 42,
  })
  expect(tree?.version).toBe(1)
  expect(readdirSync(path.join(root, "pids")).filter((name) => name === "docket-7-old")).toEqual([])
  expect(readdirSync(path.join(root, "pids"))).toContain("docket-42-new")
  expect(readdirSync(path.join(root, "memory/box"))).not.toContain("docket-7-old")
  const group = tree?.make("command-1", limits)
  expect(readFileSync(path.join(group?.processes ?? "", "pids.max"), "utf8")).toBe("100")
  expect(readFileSync(path.join(group?.memory ?? "", "memory.limit_in_bytes"), "utf8")).toBe("5000000")
})

test("without a writable group there are no control groups", () => {
  const { facts } = unit()
  expect(findGroupTree({ ...facts, mounts: "" })).toBeNull()
  expect(findGroupTree({ ...facts, own: "0::/user.slice\n" })).toBeNull()
})
