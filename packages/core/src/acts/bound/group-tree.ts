import { accessSync, constants, existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { Limits } from "../../ground/schema/limits-config.ts"
import { type CommandGroup, readControl } from "./command-group.ts"

/** Control groups below the service's own: one for all commands, and in it one for each command. */
export interface GroupTree {
  version: 1 | 2
  /** @param id becomes part of the group's name */
  make(id: string, limits: Limits["command"]): CommandGroup
  /** Limits the memory of all commands together (bytes). */
  setTotal(memory: number): void
  /** False while a process still runs in the group. */
  remove(group: CommandGroup): boolean
  /** Removes the groups that are empty. */
  close(): void
}

/** What the kernel says of this process. */
export interface GroupFacts {
  /** The text of /proc/self/mountinfo. */
  mounts: string
  /** The text of /proc/self/cgroup: the groups of this process. */
  own: string
  /** The process id of this service. */
  pid: number
  /** Whether a process belongs to this service; only such processes may be moved. */
  isOwn(pid: number): boolean
  isRunning(pid: number): boolean
}

/** Null where the service may not create groups. */
export function findGroupTree(facts: GroupFacts): GroupTree | null {
  return version2(facts) ?? version1(facts)
}

/**
 * Creates groups below the service's own group, which must be delegated to it (`Delegate=yes` in systemd). A group that
 * has processes cannot have limited child groups, so the service first moves into a child group.
 */
function version2(facts: GroupFacts): GroupTree | null {
  const base = placeOf(facts, "cgroup2", "")
  if (base === null || !mayMake(base)) return null
  const controllers = readControl(base, "cgroup.controllers").trim().split(" ")
  if (!controllers.includes("pids") || !controllers.includes("memory")) return null
  const members = readControl(base, "cgroup.procs").split("\n").filter(Boolean).map(Number)
  if (!members.every(facts.isOwn)) return null
  const own = path.join(base, `docket-${facts.pid}`)
  const all = path.join(base, `docket-${facts.pid}-commands`)
  try {
    for (const directory of [own, all]) mkdirSync(directory, { recursive: true })
    for (const pid of members) write(own, "cgroup.procs", pid)
    for (const directory of [base, all]) write(directory, "cgroup.subtree_control", "+pids +memory")
  } catch {
    return null
  }
  return {
    version: 2,
    make(id, { processes, memory }) {
      const group = path.join(all, id)
      mkdirSync(group)
      write(group, "pids.max", processes)
      write(group, "memory.max", memory)
      // The kernel kills all processes of the group together, and swap does not extend the memory limit.
      for (const [file, value] of Object.entries({ "memory.oom.group": 1, "memory.swap.max": 0 }))
        tryTo(() => write(group, file, value))
      return { version: 2, processes: group, memory: group }
    },
    setTotal: (memory) => write(all, "memory.max", memory),
    remove: ({ processes }) => isRemoved(processes),
    close: () => void tryTo(() => rmdirSync(all)),
  }
}

/** Creates groups below the service's own `pids` and `memory` groups. */
function version1(facts: GroupFacts): GroupTree | null {
  const bases = ["pids", "memory"].map((controller) => placeOf(facts, "cgroup", controller))
  const [pids, memory] = bases
  if (!pids || !memory || !bases.every((base) => base !== null && mayMake(base))) return null
  const name = `docket-${facts.pid}-${process.hrtime.bigint().toString(36)}`
  for (const base of [pids, memory]) removeLeftovers(base, facts)
  const all = { pids: path.join(pids, name), memory: path.join(memory, name) }
  try {
    for (const directory of Object.values(all)) mkdirSync(directory)
  } catch {
    return null
  }
  return {
    version: 1,
    make(id, limits) {
      const group = { version: 1 as const, processes: path.join(all.pids, id), memory: path.join(all.memory, id) }
      for (const directory of [group.processes, group.memory]) mkdirSync(directory)
      write(group.processes, "pids.max", limits.processes)
      setMemory(group.memory, limits.memory)
      return group
    },
    setTotal: (bytes) => setMemory(all.memory, bytes),
    remove: (group) => {
      const removed = [group.processes, group.memory].map(isRemoved)
      return removed.every(Boolean)
    },
    close() {
      for (const directory of Object.values(all)) tryTo(() => rmdirSync(directory))
    },
  }
}

/** The second limit covers memory and swap together. It must not be below the first, and not every kernel has it. */
function setMemory(group: string, bytes: number): void {
  const swap = "memory.memsw.limit_in_bytes"
  const set = () => write(group, "memory.limit_in_bytes", bytes)
  if (!tryTo(set)) {
    tryTo(() => write(group, swap, bytes))
    set()
  }
  tryTo(() => write(group, swap, bytes))
}

/** Removes groups left by a service process that was killed. */
function removeLeftovers(base: string, { isRunning }: GroupFacts): void {
  for (const name of readdirSync(base)) {
    const pid = Number(/^docket-(\d+)-/.exec(name)?.[1] ?? 0)
    if (pid === 0 || isRunning(pid)) continue
    const left = path.join(base, name)
    const inside = readdirSync(left, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    for (const entry of inside) tryTo(() => rmdirSync(path.join(left, entry.name)))
    tryTo(() => rmdirSync(left))
  }
}

/** True when the directory is gone, by this call or an earlier one. */
function isRemoved(directory: string): boolean {
  return tryTo(() => rmdirSync(directory)) || !existsSync(directory)
}

/** The group directory of this process; null when there is none. Source: cgroups(7), proc_pid_mountinfo(5). */
function placeOf({ mounts, own }: GroupFacts, type: "cgroup" | "cgroup2", controller: string): string | null {
  const lines = own.split("\n").map((line) => /^\d+:([^:]*):(.*)$/.exec(line) ?? [])
  const [, , group] = lines.find(([, names]) => names?.split(",").includes(controller)) ?? []
  if (group === undefined) return null
  for (const line of mounts.split("\n")) {
    const [before = "", after = ""] = line.split(" - ")
    const [, , , root = "/", at] = before.split(" ")
    const [kind, , options = ""] = after.split(" ")
    if (kind !== type || at === undefined || (controller !== "" && !options.split(",").includes(controller))) continue
    const below = path.relative(root, group)
    return below.startsWith("..") ? null : path.join(at, below)
  }
  return null
}

function mayMake(directory: string): boolean {
  return tryTo(() => accessSync(directory, constants.W_OK | constants.X_OK))
}

function write(directory: string, file: string, value: string | number): void {
  writeFileSync(path.join(directory, file), String(value))
}

function tryTo(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
