import { type ProcessFacts, readProc, readStat } from "./list-processes.ts"
import type { WatchedCommand } from "./watched-command.ts"

/** Finds the processes of one command among all of the machine. */
export interface OwnProcesses {
  /** Those that run, of a list of all. */
  among(all: readonly ProcessFacts[]): ProcessFacts[]
}

/**
 * In the sandbox all that a command starts descends from its first process. Outside it, what loses its parent does not,
 * and is known by its group, by its mark, and by having been seen before.
 */
export function createOwnProcesses({
  pid,
  mark,
  isHeld,
}: Pick<WatchedCommand, "pid" | "mark" | "isHeld">): OwnProcesses {
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
