import type { LimitName, LimitOver } from "../../ground/schema/index.ts"
import { groupOver, groupUse, usedItsMemory } from "./command-group.ts"
import { diskRooms, roomToLeave } from "./disk-room.ts"
import { endAtOnce } from "./end-at-once.ts"
import { listProcessesAtOnce, type ProcessFacts } from "./list-processes.ts"
import { memoryFiles, memoryUse, sharedMemoryUse, writtenBytes } from "./memory-use.ts"
import { createOwnProcesses, type OwnProcesses } from "./own-processes.ts"
import { roomSince } from "./room-since.ts"
import { type FromWatch, judge, limitValue, verdictOf, type WatchedCommand } from "./watched-command.ts"

/** Watches what commands use, and ends those that use more than they may. */
export interface Watch {
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

export function createWatch(tell: (message: FromWatch) => void): Watch {
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
