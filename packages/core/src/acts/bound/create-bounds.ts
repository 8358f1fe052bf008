import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { setPriority } from "node:os"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { promisify } from "node:util"
import { Worker } from "node:worker_threads"
import type { LimitMeans, LimitOver } from "../../ground/schema/index.ts"
import { machineMemory, usualLimits } from "../../ground/schema/limits-config.ts"
import type { BoundCommand, Bounds, BoundWork } from "./bounds.ts"
import { type CommandGroup, groupOver, usedItsMemory } from "./command-group.ts"
import { diskRoom, diskRooms, roomToLeave } from "./disk-room.ts"
import { findGroupTree, type GroupTree } from "./group-tree.ts"
import { listProcesses, readStat } from "./list-processes.ts"
import {
  createVerdict,
  type FromWatch,
  limitValue,
  type ToWatch,
  verdictOf,
  type WatchedCommand,
} from "./watched-command.ts"

export interface BoundsDeps {
  platform: string
  clock(): number
  /** False to only watch the commands, even if the kernel supports control groups. */
  groups?: boolean
}

/** How many ended commands are remembered for each workspace. */
const remembered = 20
/** How often removing a busy control group is tried again, and ms between two tries. */
const removal = { times: 40, wait: 50 }

/** ms that the thread is kept while no command runs. */
const keptIdle = 600_000
/** After this many failures the thread is not started again. */
const mostFailures = 10

/**
 * Enters the control groups, makes the kernel prefer to kill this process over the service, limits open files, then
 * runs the program.
 */
const enterScript = `
for at in "$2" "$3"; do [ -z "$at" ] || echo 0 >"$at" || exit 125; done
{ echo 500 >/proc/self/oom_score_adj; ulimit -n "$1"; } 2>/dev/null
shift 3
exec "$@"`

/** Limits the commands of this process: by control groups where it may create them, else by watching. */
export function createBounds(deps: BoundsDeps): Bounds {
  const memory = machineMemory()
  const usual = usualLimits(memory)
  /** Limits of all commands of the service together; a workspace with larger limits raises them. */
  const total = { ...usual.all }
  /** The limits that commands reached, newest first, by workspace. */
  const byScope = new Map<string, (LimitOver & { at: number })[]>()
  const running = new Map<string, Running>()
  const watching = createWatching((message) => {
    if (message.type === "ready") return
    const one = running.get(message.id)
    if (one === undefined) return
    if (message.type === "over") note(one, message.over)
    else removeEnded(message.id, one)
  })
  let tried: Promise<GroupTree | null> | null = null
  let groups: GroupTree | null = null
  /** Groups of ended commands that still have to be removed. */
  const leaving = new Set<CommandGroup>()
  let count = 0
  const tree = () => {
    tried ??= deps.platform === "linux" && deps.groups !== false ? tryGroups(total.memory) : Promise.resolve(null)
    return tried
  }
  const note = (one: Running, over: LimitOver) => {
    if (one.isNoted) return
    one.isNoted = true
    const { scope } = one.work
    byScope.set(scope, [{ ...over, at: deps.clock() }, ...(byScope.get(scope) ?? [])].slice(0, remembered))
  }
  /** No process of the command runs any more. */
  const removeEnded = (id: string, { group }: Running) => {
    running.delete(id)
    if (group !== null) leaving.add(group)
    removeGroups()
  }
  /** The kernel needs a moment after the last process has ended before the group can be removed. */
  const removeGroups = (left = removal.times) => {
    for (const group of leaving) if (groups?.remove(group)) leaving.delete(group)
    if (leaving.size > 0 && left > 0) setTimeout(() => removeGroups(left - 1), removal.wait).unref()
  }
  return {
    async means() {
      if (deps.platform !== "linux") return "none"
      const found = await tree()
      return found === null ? "watch" : (`cgroup v${found.version}` as LimitMeans)
    },
    async begin(work) {
      groups = await tree()
      // Without groups, a command could start thousands of processes before the watching thread is ready.
      if (groups === null && deps.platform === "linux") await watching.ready()
      count += 1
      const id = `command-${count}`
      const { all, command: limits } = work.limits
      const before = total.memory
      for (const key of ["processes", "memory"] as const) total[key] = Math.max(total[key], all[key])
      if (total.memory !== before) groups?.setTotal(total.memory)
      const group = groups?.make(id, limits) ?? null
      const one: Running = { work, group, verdict: createVerdict(), isNoted: false }
      running.set(id, one)
      const free = new Map(diskRooms(work.places).map((room) => [room.disk, room.free]))
      const began = { at: Date.now(), free }
      let isStarted = false
      return {
        files: limits.files,
        enter: ({ file, args }) => enter({ file, args }, limits.files, group),
        started(pid) {
          isStarted = true
          if (deps.platform !== "linux") return
          lowerPriority(pid)
          const { verdict } = one
          const command: WatchedCommand = { id, pid, ...work, began, total: { ...total }, group, verdict }
          watching.send({ type: "add", command })
        },
        over() {
          const over = overOf(one)
          if (over !== null) note(one, over)
          return over
        },
        end() {
          watching.send({ type: "ended", id })
          if (work.isHeld || !isStarted) removeEnded(id, one)
        },
      } satisfies BoundCommand
    },
    ended: (scope) => byScope.get(scope) ?? [],
    async close() {
      await watching.close()
      for (const { group } of running.values()) if (group !== null) leaving.add(group)
      for (let left = removal.times; leaving.size > 0 && left > 0; left--) {
        removeGroups(0)
        if (leaving.size > 0) await delay(removal.wait)
      }
      groups?.close()
    },
  }
}

/** Lowers the priority of a command, so that the service gets the processor first. */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, 5)
  } catch {
    // The process has ended.
  }
}

interface Running {
  work: BoundWork
  group: CommandGroup | null
  /** Shared with the thread, see `createVerdict`. */
  verdict: Int32Array
  /** Whether the limit that it reached is in the list of its workspace. */
  isNoted: boolean
}

function overOf({ work, group, verdict }: Running): LimitOver | null {
  // The command may have ended before the thread looked at it, so ask the group as well.
  const met = group === null ? null : groupOver(group)
  const found =
    verdictOf(verdict) ??
    (met && { limit: met, scope: met === "memory" && group && !usedItsMemory(group) ? "all" : "command" })
  if (!found) return null
  const room = found.limit === "free" ? diskRoom(work.places[0] ?? "/") : null
  const free = room === null ? 0 : roomToLeave(room, work.limits.free)
  return { ...found, value: limitValue(found, work.limits, free) } as LimitOver
}

/** How to start a program inside a control group. `files`: how many files it may have open. */
function enter({ file, args }: { file: string; args: string[] }, files: number, group: CommandGroup | null) {
  const places = group === null ? [] : [...new Set([group.processes, group.memory])]
  const [first = "", second = ""] = places.map((place) => path.join(place, "cgroup.procs"))
  return { file: "/bin/sh", args: ["-c", enterScript, "sh", String(files), first, second, file, ...args] }
}

/** Creates the control groups and tests whether a program can enter them. */
async function tryGroups(memory: number): Promise<GroupTree | null> {
  const family = await familyOf(process.pid)
  const groups = findGroupTree({
    mounts: readFileSync("/proc/self/mountinfo", "utf8"),
    own: readFileSync("/proc/self/cgroup", "utf8"),
    pid: process.pid,
    isOwn: (pid) => family.has(pid),
    isRunning: (pid) => readStat(pid) !== null,
  })
  if (groups === null) return null
  let group: CommandGroup | null = null
  try {
    groups.setTotal(memory)
    group = groups.make("trial", usualLimits(memory).command)
    const { file, args } = enter({ file: "/bin/true", args: [] }, 64, group)
    await promisify(execFile)(file, args)
    return groups
  } catch {
    return null
  } finally {
    for (let left = removal.times; group !== null && !groups.remove(group) && left > 0; left--) {
      await delay(removal.wait)
    }
  }
}

/** The process, its ancestors and its descendants. */
async function familyOf(pid: number): Promise<Set<number>> {
  const all = await listProcesses()
  const parents = new Map(all.map((one) => [one.pid, one.parent]))
  const family = new Set([pid])
  for (let above = parents.get(pid); above !== undefined && above > 1 && !family.has(above); above = parents.get(above))
    family.add(above)
  const below = new Set([pid])
  for (let size = 0; size !== below.size; ) {
    size = below.size
    for (const one of all) if (below.has(one.parent)) below.add(one.pid)
  }
  return new Set([...family, ...below])
}

interface Watching {
  /** Resolves when the thread watches, or when it cannot be started. */
  ready(): Promise<void>
  send(message: ToWatch): void
  close(): Promise<void>
}

interface Watched {
  command: WatchedCommand
  /** Whether the call of the command has ended. */
  hasEnded: boolean
}

/**
 * The watching thread takes 40 MB, so it ends ten minutes after the last command. A thread that fails is started again
 * and told which commands run.
 */
function createWatching(onMessage: (message: FromWatch) => void): Watching {
  const watched = new Map<string, Watched>()
  let thread: Worker | null = null
  let readiness = Promise.withResolvers<void>()
  let idle: NodeJS.Timeout | null = null
  let isClosed = false
  let failures = 0
  const endWhenIdle = () => {
    if (idle !== null) clearTimeout(idle)
    if (watched.size > 0) return
    idle = setTimeout(() => {
      const unused = thread
      thread = null
      readiness = Promise.withResolvers()
      void unused?.terminate()
    }, keptIdle).unref()
  }
  const forget = (id: string) => {
    watched.delete(id)
    endWhenIdle()
  }
  const start = () => {
    const worker = new Worker(new URL("./watch-thread.ts", import.meta.url), { env: {}, execArgv: [] })
    worker.unref()
    worker.on("message", (message: FromWatch) => {
      if (message.type === "ready") readiness.resolve()
      if (message.type === "gone") forget(message.id)
      onMessage(message)
    })
    // An error ends the thread too; "exit" handles it.
    worker.on("error", () => {})
    worker.once("exit", () => {
      if (thread !== worker) return
      thread = null
      readiness.resolve()
      readiness = Promise.withResolvers()
      failures += 1
      if (isClosed || failures >= mostFailures) return
      for (const { command, hasEnded } of watched.values()) {
        post({ type: "add", command })
        if (hasEnded) post({ type: "ended", id: command.id })
      }
    })
    return worker
  }
  const post = (message: ToWatch) => {
    thread ??= start()
    thread.postMessage(message)
  }
  return {
    ready() {
      if (isClosed || failures >= mostFailures) return Promise.resolve()
      thread ??= start()
      endWhenIdle()
      return readiness.promise
    },
    send(message) {
      if (isClosed) return
      if (message.type === "add") watched.set(message.command.id, { command: message.command, hasEnded: false })
      const known = watched.get(message.type === "add" ? message.command.id : message.id)
      if (known === undefined) return
      post(message)
      known.hasEnded = message.type === "ended"
      if (known.hasEnded && known.command.isHeld) forget(known.command.id)
      else endWhenIdle()
    },
    async close() {
      isClosed = true
      if (idle !== null) clearTimeout(idle)
      await thread?.terminate()
    },
  }
}
