import { readFileSync } from "node:fs"
import path from "node:path"

/** The control group of one command. Source: cgroups(7), the kernel's cgroup-v1/ and cgroup-v2.rst. */
export interface CommandGroup {
  version: 1 | 2
  /** Where processes are counted. */
  processes: string
  /** Where memory is; the same with version 2. */
  memory: string
}

/** What a command uses, as its group says. */
export interface GroupUse {
  pids: number[]
  /** Threads too. */
  processes: number
  /** Bytes that cannot be dropped: without what is only kept of files. */
  memory: number
}

export function groupUse({ processes, memory }: CommandGroup): GroupUse {
  const stat = read(memory, "memory.stat")
  const bytes = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? 0)
  return {
    pids: groupProcesses({ processes }),
    processes: Number(read(processes, "pids.current")),
    memory: bytes("anon") + bytes("rss") + bytes("shmem"),
  }
}

export function groupProcesses({ processes }: Pick<CommandGroup, "processes">): number[] {
  return read(processes, "cgroup.procs").split("\n").filter(Boolean).map(Number)
}

/** The limit that the kernel held it to, so that starting a process failed or one was ended; null for none. */
export function groupOver({ version, processes, memory }: CommandGroup): "processes" | "memory" | null {
  if (/^max [1-9]/m.test(read(processes, "pids.events"))) return "processes"
  const events = read(memory, version === 2 ? "memory.events" : "memory.oom_control")
  return /^oom_kill [1-9]/m.test(events) ? "memory" : null
}

/** Whether it used all of its own memory: else the kernel ended something of it because others had used theirs. */
export function usedItsMemory({ version, memory }: CommandGroup): boolean {
  const [peak, most] =
    version === 2 ? ["memory.peak", "memory.max"] : ["memory.max_usage_in_bytes", "memory.limit_in_bytes"]
  const used = read(memory, peak)
  return used === "" || Number(used) >= Number(read(memory, most)) * 0.98
}

/** Empty when it is not there. */
function read(directory: string, file: string): string {
  try {
    return readFileSync(path.join(directory, file), "utf8")
  } catch {
    return ""
  }
}
