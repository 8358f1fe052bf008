import { statfsSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parentPort } from "node:worker_threads"
import type { LimitName, LimitOver } from "../../ground/schema/index.ts"
import { groupOver, groupProcesses, groupUse, usedItsMemory } from "./command-group.ts"
import { diskRooms, roomToLeave } from "./disk-room.ts"
import { listProcessesAtOnce, type ProcessFacts, readProc, readStat } from "./list-processes.ts"
import { roomSince } from "./room-since.ts"
import { type FromWatch, judge, limitValue, type ToWatch, verdictOf, type WatchedCommand } from "./watched-command.ts"

/** ms until a new command is first looked at: most have ended by then. */
const firstLook = 50
/** ms between two looks: this, and more where a look takes long. */
const usual = { shortest: 100, longest: 250 }

/** Runs in a thread of its own, so that it goes on when the service is busy. */
function watchFrom(port: NonNullable<typeof parentPort>): void {
  const watch = createWatch((message: FromWatch) => port.postMessage(message))
  let timer: NodeJS.Timeout | null = null
  const look = () => {
    timer = null
    const began = performance.now()
    watch.look()
    const took = performance.now() - began
    next(Math.min(Math.max(usual.shortest, took * 4), usual.longest))
  }
  const next = (wait: number) => {
    if (!watch.isIdle()) timer ??= setTimeout(look, wait)
  }
  port.on("message", (message: ToWatch) => {
    if (message.type === "ended") watch.ended(message.id)
    else watch.add(message.command)
    next(firstLook)
  })
  port.postMessage({ type: "ready" } satisfies FromWatch)
}

/** Watches what commands use, and ends those that use more than they may. */
interface Watch {
  add(command: WatchedCommand): void
  /** The call of a command has ended; what is left of it is watched on. */
  ended(id: string): void
  /** Looks once at all of them. */
  look(): void
  isIdle(): boolean
}

interface Seen {
  command: WatchedCommand
  own: OwnProcesses
  hasEnded: boolean
  use: Use
  /** Bytes of room that had gone when its files were last added up. */
  summedAt: number
}

interface Use {
  processes: number
  memory: number
  written: number
}

/** Looks between two sums of what was written and what lies in memory as files, which cost more. */
const costly = 3
/** The clock of a file system lags behind by a tick (ms). */
const tick = 20
/** Its files are added up again when so much more of its limit has gone from a disk. */
const againAfter = 1 / 8
/** A command that took less room is not the one that fills a disk. */
const littleRoom = 16 * 1024 ** 2

function createWatch(tell: (message: FromWatch) => void): Watch {
  const seen = new Map<string, Seen>()
  let looks = 0
  const end = (one: Seen, over: LimitOver) => {
    judge(one.command.verdict, over)
    tell({ type: "over", id: one.command.id, over })
    endAtOnce(one.command, one.own)
  }
  const over = (one: Seen, limit: LimitName, scope: LimitOver["scope"], free = 0) =>
    end(one, { limit, scope, value: limitValue({ limit, scope }, one.command.limits, free) })
  return {
    add(command) {
      const use = { processes: 0, memory: 0, written: 0 }
      const begun = { hasEnded: false, use, summedAt: 0 }
      seen.set(command.id, { command, own: createOwnProcesses(command), ...begun })
    },
    ended(id) {
      const one = seen.get(id)
      if (one === undefined) return
      one.hasEnded = true
      if (one.command.isHeld) seen.delete(id)
    },
    look() {
      looks += 1
      const isThorough = looks % costly === 0
      const needsAll = [...seen.values()].some(({ command }) => command.group === null)
      const all = needsAll ? listProcessesAtOnce() : []
      for (const one of seen.values()) count(one, all, isThorough)
      if (isThorough) for (const one of seen.values()) addUpFiles(one)
      for (const [id, one] of seen) {
        if (one.use.processes > 0 || !one.hasEnded) continue
        seen.delete(id)
        tell({ type: "gone", id })
      }
      const running = [...seen.values()]
      for (const one of running) {
        // Something may have begun while the rest was ended.
        if (verdictOf(one.command.verdict) !== null) endAtOnce(one.command, one.own)
        else {
          const found = overByItself(one, all)
          if (found !== null) over(one, found.limit, found.scope)
        }
      }
      together(running, over)
      for (const { one, room } of fillers(running)) over(one, "free", "command", room)
    },
    isIdle: () => seen.size === 0,
  }
}

type Over = (one: Seen, limit: LimitName, scope: LimitOver["scope"], free?: number) => void

function count({ command, own, use }: Seen, all: readonly ProcessFacts[], isThorough: boolean): void {
  if (command.group !== null) {
    const { pids, processes, memory } = groupUse(command.group)
    // What ended and was not asked for is still counted there.
    use.processes = pids.length === 0 ? 0 : processes
    use.memory = memory
    if (isThorough) use.written = Math.max(use.written, writtenBytes(pids))
    return
  }
  const mine = own.among(all)
  use.processes = mine.reduce((sum, { threads }) => sum + threads, 0)
  use.memory = memoryUse(mine)
  const inside = mine.find(({ parent }) => parent === command.pid)
  if (command.isHeld && inside !== undefined) use.memory += memoryFiles(inside.pid)
  if (isThorough) use.written = Math.max(use.written, writtenBytes(mine.map(({ pid }) => pid)))
}

/**
 * What a process wrote is not known any more when it has ended and nobody asked for it, nor is what was only reserved. When as
 * much as the limit has gone from a disk, the files that changed meanwhile tell whether it was this command.
 */
function addUpFiles(one: Seen): void {
  const { places, began, limits } = one.command
  const most = limits.command.written
  if (one.hasEnded || one.use.written > most) return
  const taken = Math.max(0, ...diskRooms(places).map(({ disk, free }) => (began.free.get(disk) ?? free) - free))
  if (taken <= Math.max(most, one.summedAt + most * againAfter)) return
  one.summedAt = taken
  one.use.written = Math.max(one.use.written, roomSince(places, began.at - tick, most + 1))
}

/** The limit that a command by itself is over; null for none. */
function overByItself(one: Seen, all: readonly ProcessFacts[]): Pick<LimitOver, "limit" | "scope"> | null {
  const { limits, group } = one.command
  const { processes, memory, written } = one.use
  const met = group === null ? null : groupOver(group)
  if (met === "memory" && group !== null) return { limit: met, scope: usedItsMemory(group) ? "command" : "all" }
  if (met === "processes" || processes > limits.command.processes) return { limit: "processes", scope: "command" }
  if (written > limits.command.written) return { limit: "written", scope: "command" }
  const isMuch = group === null && memory > limits.command.memory
  return isMuch && reallyUsed(one, all) > limits.command.memory ? { limit: "memory", scope: "command" } : null
}

/** Many processes after a fork share what each of them seems to have. */
function reallyUsed(one: Seen, all: readonly ProcessFacts[]): number {
  const mine = one.own.among(all)
  const files = one.use.memory - memoryUse(mine)
  const most = mine.length > 1 ? sharedMemoryUse(mine) : 0
  const known = most > 0 ? Math.max(0, files) + most : one.use.memory
  one.use.memory = known
  return known
}

/** Ends the command that uses most where all together use too much: those of a workspace, and those of the service. */
function together(running: readonly Seen[], over: Over): void {
  const left = () => running.filter(({ command }) => verdictOf(command.verdict) === null)
  const scopes = new Map<string, { of: (one: Seen) => boolean; most: WatchedCommand["total"] }>()
  for (const { command } of running) {
    const { scope, limits, total } = command
    scopes.set(`of ${scope}`, { of: (one) => one.command.scope === scope, most: limits.all })
    scopes.set("all", { of: () => true, most: total })
  }
  for (const { of, most } of scopes.values())
    for (const limit of ["processes", "memory"] as const) {
      const those = left().filter(of)
      if (those.reduce((sum, { use }) => sum + use[limit], 0) <= most[limit]) continue
      const [largest] = those.toSorted((a, b) => b.use[limit] - a.use[limit])
      if (largest !== undefined) over(largest, limit, "all")
    }
}

/** The commands that fill a disk on which too little is free, one for each: who wrote most, else who saw most room go. */
function fillers(running: readonly Seen[]): { one: Seen; room: number }[] {
  const taking = running.flatMap((one) =>
    verdictOf(one.command.verdict) !== null
      ? []
      : diskRooms(one.command.places).flatMap((room) => {
          const most = roomToLeave(room, one.command.limits.free)
          const taken = Math.max(one.use.written, (one.command.began.free.get(room.disk) ?? room.free) - room.free)
          return room.free < most && taken > littleRoom ? [{ one, disk: room.disk, room: most, taken }] : []
        }),
  )
  const largest = Map.groupBy(
    taking.toSorted((a, b) => b.one.use.written - a.one.use.written || b.taken - a.taken),
    ({ disk }) => disk,
  )
  return [...largest.values()].flatMap(([first]) => first ?? [])
}

/** x86 and most others; a kernel with larger pages only makes the first count smaller, never the second. */
const pageBytes = 4_096

/**
 * Bytes of memory that processes have for themselves. What several share after a fork is counted for each of them, so
 * this is the most that it can be: `sharedMemoryUse` knows better and costs more.
 */
function memoryUse(processes: readonly ProcessFacts[]): number {
  return sum(processes, ({ pid }) => {
    // size resident shared …, in pages: proc_pid_statm(5).
    const [, resident = 0, shared = 0] = readProc(pid, "statm").split(" ").map(Number)
    return (resident - shared) * pageBytes
  })
}

/** The same, each page counted once. */
function sharedMemoryUse(processes: readonly ProcessFacts[]): number {
  return sum(processes, ({ pid }) => {
    const lines = readProc(pid, "smaps_rollup").matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm)
    return sum([...lines], ([, kilobytes]) => Number(kilobytes) * 1_024)
  })
}

/** Bytes of files that lie in memory, in file systems that only the process `inside` and its like see. */
function memoryFiles(inside: number): number {
  const mounts = readProc(inside, "mountinfo").split("\n")
  const places = mounts.flatMap((line) => {
    const [before = "", after = ""] = line.split(" - ")
    const [, , , , at = "", options = ""] = before.split(" ")
    return after.startsWith("tmpfs ") && options.split(",").includes("rw") ? [at] : []
  })
  return sum(places, (place) => {
    try {
      const { blocks, bfree, bsize } = statfsSync(`/proc/${inside}/root${place}`)
      return (blocks - bfree) * bsize
    } catch {
      return 0
    }
  })
}

/** Bytes that processes wrote to disks, with those of their children that they waited for: proc_pid_io(5). */
function writtenBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(/^write_bytes: (\d+)$/m.exec(readProc(pid, "io"))?.[1] ?? 0))
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((all, item) => all + amount(item), 0)
}

/** More than enough: a round stops all there is, and what is stopped starts nothing. */
const rounds = 30

/**
 * Ends a command with all that it started, also what starts others faster than they can be ended. In the sandbox its
 * first process is killed, with which the kernel ends the rest. Outside everything is stopped first, then killed.
 */
function endAtOnce({ pid, isHeld, group }: WatchedCommand, own: OwnProcesses): void {
  if (group?.version === 2) tryTo(() => writeFileSync(path.join(group.processes, "cgroup.kill"), "1"))
  if (isHeld) {
    const all = listProcessesAtOnce()
    if (own.among(all).length === 0) return
    const inside = all.filter(({ parent, zombie }) => parent === pid && !zombie)
    // Before anything is inside, the program of the sandbox is all there is.
    if (inside.length === 0) signal(-pid, "SIGKILL")
    for (const process of inside) signal(process.pid, "SIGKILL")
    return
  }
  const stopped = new Set<number>()
  const list = () => (group ? groupProcesses(group) : own.among(listProcessesAtOnce()).map((process) => process.pid))
  for (let round = 0; round < rounds; round++) {
    const fresh = list().filter((process) => !stopped.has(process))
    if (fresh.length === 0) break
    for (const process of fresh) {
      stopped.add(process)
      signal(process, "SIGSTOP")
    }
  }
  for (const process of list()) signal(process, "SIGKILL")
}

function signal(pid: number, name: NodeJS.Signals): void {
  tryTo(() => process.kill(pid, name))
}

function tryTo(work: () => void): void {
  try {
    work()
  } catch {
    // It has ended meanwhile, or this kernel has no such file.
  }
}

/** Finds the processes of one command among all of the machine. */
interface OwnProcesses {
  /** Those that run, of a list of all. */
  among(all: readonly ProcessFacts[]): ProcessFacts[]
}

/**
 * In the sandbox all that a command starts descends from its first process. Outside it, what loses its parent does not,
 * and is known by its group, by its mark, and by having been seen before.
 */
function createOwnProcesses({ pid, mark, isHeld }: Pick<WatchedCommand, "pid" | "mark" | "isHeld">): OwnProcesses {
  const first = readStat(pid)?.started ?? null
  /** By id, with the time of the start. */
  const known = new Map<number, number>()
  const strange = new Map<number, number>()
  const isMarked = ({ pid: other, started }: ProcessFacts) => {
    if (strange.get(other) === started) return false
    if (readProc(other, "environ").includes(mark)) return true
    strange.set(other, started)
    return false
  }
  const isOwn = (one: ProcessFacts) => {
    if (one.pid === pid) return one.started === first
    if (isHeld || one.started < (first ?? 0)) return false
    return one.group === pid || known.get(one.pid) === one.started || isMarked(one)
  }
  return {
    among(all) {
      const running = all.filter(({ zombie }) => !zombie)
      const found = new Set(running.filter(isOwn).map((one) => one.pid))
      for (let size = -1; size !== found.size; ) {
        size = found.size
        for (const one of running) if (found.has(one.parent)) found.add(one.pid)
      }
      const own = running.filter((one) => found.has(one.pid))
      known.clear()
      for (const one of own) known.set(one.pid, one.started)
      return own
    },
  }
}

if (parentPort !== null) watchFrom(parentPort)
