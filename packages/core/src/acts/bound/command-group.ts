import { readFileSync } from "node:fs"
import path from "node:path"

/** The control group of one command. Source: cgroups(7), the kernel's cgroup-v1/ and cgroup-v2.rst. */
export interface CommandGroup {
  version: 1 | 2
  /** The group directory that counts processes. */
  processes: string
  /** The group directory that counts memory; the same directory in version 2. */
  memory: string
}

/** What a command uses, according to its control group. */
export interface GroupUse {
  pids: number[]
  /** Threads are counted too. */
  processes: number
  /** Bytes that the kernel cannot free: without the file cache. */
  memory: number
}

export function groupUse({ processes, memory }: CommandGroup): GroupUse {
  const stat = readControl(memory, "memory.stat")
  const bytes = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(stat)?.[1] ?? 0)
  return {
    pids: groupProcesses({ processes }),
    processes: Number(readControl(processes, "pids.current")),
    memory: bytes("anon") + bytes("rss") + bytes("shmem"),
  }
}

export function groupProcesses({ processes }: Pick<CommandGroup, "processes">): number[] {
  return readControl(processes, "cgroup.procs").split("\n").filter(Boolean).map(Number)
}

/** The limit that the kernel enforced: it refused a new process or killed one. Null for none. */
export function groupOver({ version, processes, memory }: CommandGroup): "processes" | "memory" | null {
  if (/^max [1-9]/m.test(readControl(processes, "pids.events"))) return "processes"
  const events = readControl(memory, version === 2 ? "memory.events" : "memory.oom_control")
  return /^oom_kill [1-9]/m.test(events) ? "memory" : null
}

/**
 * Whether the command used all of its own memory. If not, the kernel killed a process because other commands used
 * theirs.
 */
export function usedItsMemory({ version, memory }: CommandGroup): boolean {
  const [peak, most] =
    version === 2 ? ["memory.peak", "memory.max"] : ["memory.max_usage_in_bytes", "memory.limit_in_bytes"]
  const used = readControl(memory, peak)
  // A process is killed by an allocation that would exceed the limit, so the peak lies a little below it.
  return used === "" || Number(used) >= Number(readControl(memory, most)) * 0.98
}

/** The text of a control file; empty when the file does not exist. */
export function readControl(directory: string, file: string): string {
  try {
    return readFileSync(path.join(directory, file), "utf8")
  } catch {
    return ""
  }
}
