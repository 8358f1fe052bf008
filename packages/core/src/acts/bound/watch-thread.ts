import { statfsSync, writeFileSync } from "node:fs"
import path from "node:path"
import { parentPort } from "node:worker_threads"
import type { LimitName, LimitOver } from "../../ground/schema/index.ts"
import { groupOver, groupProcesses, groupUse, usedItsMemory } from "./command-group.ts"
import { diskRooms, roomToLeave } from "./disk-room.ts"
import { listProcessesAtOnce, type ProcessFacts, readProc, readStat } from "./list-processes.ts"
import { roomSince } from "./room-since.ts"
import {
  type FromWatch,
  limitValue,
  setVerdict,
  type ToWatch,
  verdictOf,
  type WatchedCommand,
} from "./watched-command.ts"

/** ms until a new command is first looked at; most commands have ended by then. */
const firstLook = 50
/** ms between two looks; longer when a look takes long. */
const usual = { shortest: 100, longest: 250 }

/** Runs in its own thread, so that it keeps watching while the service is busy. */
function watchFrom(port: NonNullable<typeof parentPort>): void {
  const watch = createWatch((message: FromWatch) => port.postMessage(message))
  let isPlanned = false
  const look = () => {
    isPlanned = false
    const began = performance.now()
    watch.look()
    const took = performance.now() - began
    // Looking takes at most a fifth of the time, unless the longest wait is reached.
    next(Math.min(Math.max(usual.shortest, took * 4), usual.longest))
  }
  const next = (wait: number) => {
    if (isPlanned || watch.isIdle()) return
    isPlanned = true
    setTimeout(look, wait)
  }
  port.on("message", (message: ToWatch) => {
    if (message.type === "ended") watch.ended(message.id)
    else watch.add(message.command)
    next(firstLook)
  })
  port.postMessage({ type: "ready" } satisfies FromWatch)
}

/** Watches what commands use, and ends those that exceed their limits. */
interface Watch {
  add(command: WatchedCommand): void
  /** The call of a command has ended; processes it left running are still watched. */
  ended(id: string): void
  /** Checks all commands once. */
  look(): void
  isIdle(): boolean
}

interface Seen {
  command: WatchedCommand
  own: OwnProcesses
  /** The call has ended; processes that it left may still run. */
  hasEnded: boolean
  use: Use
  /** Bytes that a disk had lost since the command began when its files were last summed. */
  takenWhenSummed: number
}

interface Use {
  /** Processes with their threads: each thread counts as one. */
  processes: number
  /** Bytes */
  memory: number
  /** Bytes written to disk so far. */
  written: number
}

/** Written bytes and files in memory are costly to sum, so this is done every third look. */
const thoroughEvery = 3
/** File timestamps lag behind the clock by up to one tick (ms). */
const tick = 20
/** The files are summed again after this share of the limit has gone from a disk. */
const sumAgainAfter = 1 / 8
/** Bytes; a command that used less space is not the one that fills a disk. */
const littleRoom = 16 * 1024 ** 2

function createWatch(tell: (message: FromWatch) => void): Watch {
  const seen = new Map<string, Seen>()
  let looks = 0
  const end = (one: Seen, over: LimitOver) => {
    setVerdict(one.command.verdict, over)
    tell({ type: "over", id: one.command.id, over })
    endAtOnce(one.command, one.own)
  }
  const over = (one: Seen, limit: LimitName, scope: LimitOver["scope"], free = 0) =>
    end(one, { limit, scope, value: limitValue({ limit, scope }, one.command.limits, free) })
  return {
    add(command) {
      const use = { processes: 0, memory: 0, written: 0 }
      const begun = { hasEnded: false, use, takenWhenSummed: 0 }
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
      const isThorough = looks % thoroughEvery === 0
      const needsAll = [...seen.values()].some(({ command }) => command.group === null)
      const all = needsAll ? listProcessesAtOnce() : []
      for (const one of seen.values()) updateUse(one, all, isThorough)
      if (isThorough) for (const one of seen.values()) addUpFiles(one)
      for (const [id, one] of seen) {
        if (one.use.processes > 0 || !one.hasEnded) continue
        seen.delete(id)
        tell({ type: "gone", id })
      }
      const running = [...seen.values()]
      for (const one of running) {
        // The command may have started new processes while the others were being ended.
        if (verdictOf(one.command.verdict) !== null) endAtOnce(one.command, one.own)
        else {
          const found = overByItself(one, all)
          if (found !== null) over(one, found.limit, found.scope)
        }
      }
      limitTogether(running, over)
      for (const { one, toLeave } of fillers(running)) over(one, "free", "command", toLeave)
    },
    isIdle: () => seen.size === 0,
  }
}

type Over = (one: Seen, limit: LimitName, scope: LimitOver["scope"], free?: number) => void

function updateUse({ command, own, use }: Seen, all: readonly ProcessFacts[], isThorough: boolean): void {
  if (command.group !== null) {
    const { pids, processes, memory } = groupUse(command.group)
    // The group still counts zombies, so the use is zero when it has no processes.
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
 * What a process wrote is unknown after it has been collected, and so is space that was only reserved. When a disk has
 * lost as much as the limit, the files changed since then show whether this command wrote them.
 */
function addUpFiles(one: Seen): void {
  const { places, began, limits } = one.command
  const most = limits.command.written
  if (one.hasEnded || one.use.written > most) return
  const taken = Math.max(0, ...diskRooms(places).map(({ disk, free }) => (began.free.get(disk) ?? free) - free))
  if (taken <= Math.max(most, one.takenWhenSummed + most * sumAgainAfter)) return
  one.takenWhenSummed = taken
  one.use.written = Math.max(one.use.written, roomSince(places, began.at - tick, most + 1))
}

/** The limit that this command alone exceeds; null for none. */
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

/** After a fork many processes share memory that is counted for each of them; this counts it once. */
function reallyUsed(one: Seen, all: readonly ProcessFacts[]): number {
  const mine = one.own.among(all)
  const files = one.use.memory - memoryUse(mine)
  const exact = mine.length > 1 ? sharedMemoryUse(mine) : 0
  const used = exact > 0 ? Math.max(0, files) + exact : one.use.memory
  one.use.memory = used
  return used
}

/** When all commands together use too much, ends the one that uses most: per workspace, then for the service. */
function limitTogether(running: readonly Seen[], over: Over): void {
  const notEnded = () => running.filter(({ command }) => verdictOf(command.verdict) === null)
  const scopes = new Map<string, { includes: (one: Seen) => boolean; most: WatchedCommand["total"] }>()
  for (const { command } of running) {
    const { scope, limits, total } = command
    scopes.set(`of ${scope}`, { includes: (one) => one.command.scope === scope, most: limits.all })
    scopes.set("all", { includes: () => true, most: total })
  }
  for (const { includes, most } of scopes.values())
    for (const limit of ["processes", "memory"] as const) {
      const those = notEnded().filter(includes)
      if (those.reduce((sum, { use }) => sum + use[limit], 0) <= most[limit]) continue
      const [largest] = those.toSorted((a, b) => b.use[limit] - a.use[limit])
      if (largest !== undefined) over(largest, limit, "all")
    }
}

/**
 * For each disk with too little free space, the command that fills it: the one that wrote most, or else the one during
 * which most space was lost. `toLeave`: bytes that the command had to leave free.
 */
function fillers(running: readonly Seen[]): { one: Seen; toLeave: number }[] {
  const taking = running.flatMap((one) =>
    verdictOf(one.command.verdict) !== null
      ? []
      : diskRooms(one.command.places).flatMap((room) => {
          const toLeave = roomToLeave(room, one.command.limits.free)
          const taken = Math.max(one.use.written, (one.command.began.free.get(room.disk) ?? room.free) - room.free)
          return room.free < toLeave && taken > littleRoom ? [{ one, disk: room.disk, toLeave, taken }] : []
        }),
  )
  const largest = Map.groupBy(
    taking.toSorted((a, b) => b.one.use.written - a.one.use.written || b.taken - a.taken),
    ({ disk }) => disk,
  )
  return [...largest.values()].flatMap(([first]) => first ?? [])
}

/**
 * Page size of x86 and most others. On a kernel with larger pages only the quick count is too small, never the exact
 * one.
 */
const pageBytes = 4_096

/**
 * Bytes of memory that processes have for themselves. Shared memory after a fork is counted for each process, so this
 * is an upper bound; `sharedMemoryUse` is exact but slower.
 */
function memoryUse(processes: readonly ProcessFacts[]): number {
  return sum(processes, ({ pid }) => {
    // size resident shared …, in pages: proc_pid_statm(5).
    const [, resident = 0, shared = 0] = readProc(pid, "statm").split(" ").map(Number)
    return (resident - shared) * pageBytes
  })
}

/** Bytes of memory that processes use, with each shared page counted once. */
function sharedMemoryUse(processes: readonly ProcessFacts[]): number {
  return sum(processes, ({ pid }) => {
    const lines = readProc(pid, "smaps_rollup").matchAll(/^Pss_(?:Anon|Shmem): +(\d+) kB$/gm)
    return sum([...lines], ([, kilobytes]) => Number(kilobytes) * 1_024)
  })
}

/** Bytes of in-memory files, in file systems that only the process `inside` and its relatives see. */
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

/** Bytes that processes wrote to disk, including their collected children: proc_pid_io(5). */
function writtenBytes(pids: readonly number[]): number {
  return sum(pids, (pid) => Number(/^write_bytes: (\d+)$/m.exec(readProc(pid, "io"))?.[1] ?? 0))
}

function sum<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((all, item) => all + amount(item), 0)
}

/** More than enough: a round stops all processes there are, and a stopped process starts no others. */
const rounds = 30

/**
 * Ends a command with everything it started, even when it forks faster than processes can be killed. In the sandbox its
 * first process is killed and the kernel ends the rest. Outside, all processes are first stopped, then killed.
 */
function endAtOnce({ pid, isHeld, group }: WatchedCommand, own: OwnProcesses): void {
  if (group?.version === 2) tryTo(() => writeFileSync(path.join(group.processes, "cgroup.kill"), "1"))
  if (isHeld) {
    const all = listProcessesAtOnce()
    if (own.among(all).length === 0) return
    const inside = all.filter(({ parent, zombie }) => parent === pid && !zombie)
    // The sandbox program itself is killed as long as no process runs inside.
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
    // The process has ended meanwhile, or this kernel has no such file.
  }
}

/** Finds the processes of one command among all processes of the machine. */
interface OwnProcesses {
  /** The running processes of the command, out of a list of all. */
  among(all: readonly ProcessFacts[]): ProcessFacts[]
}

/**
 * In the sandbox every process descends from the command's first one. Outside, orphans do not, so they are found by
 * their process group, by the mark in their environment, or because they were seen before.
 */
function createOwnProcesses({
  pid,
  processTag,
  isHeld,
}: Pick<WatchedCommand, "pid" | "processTag" | "isHeld">): OwnProcesses {
  const first = readStat(pid)?.started ?? null
  /** Start time of each known process, by its id. */
  const known = new Map<number, number>()
  /** The same for processes without the mark. */
  const unmarked = new Map<number, number>()
  const isMarked = ({ pid: other, started }: ProcessFacts) => {
    if (unmarked.get(other) === started) return false
    if (readProc(other, "environ").includes(processTag)) return true
    unmarked.set(other, started)
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
