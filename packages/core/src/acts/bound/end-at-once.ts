import { writeFileSync } from "node:fs"
import path from "node:path"
import { groupProcesses } from "./command-group.ts"
import { listProcessesAtOnce } from "./list-processes.ts"
import type { OwnProcesses } from "./own-processes.ts"
import type { WatchedCommand } from "./watched-command.ts"

/** More than enough: a round stops all there is, and what is stopped starts nothing. */
const rounds = 30

/**
 * Ends a command with all that it started, also what starts others faster than they can be ended. In the sandbox its
 * first process is killed, with which the kernel ends the rest. Outside everything is stopped first, then killed.
 */
export function endAtOnce({ pid, isHeld, group }: WatchedCommand, own: OwnProcesses): void {
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
