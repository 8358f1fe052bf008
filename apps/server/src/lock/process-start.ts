import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

/**
 * When a process started, in the words of the system, or null when there is no such process. A process
 * id is reused, a process id with its start is not.
 */
export function processStart(pid: number): string | null {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it lives, but belongs to someone else.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return null
  }
  return process.platform === "linux" ? linuxStart(pid) : psStart(pid)
}

/** Field 22 of /proc/<pid>/stat: clock ticks since boot. The name before it may hold spaces (proc(5)). */
function linuxStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null
  } catch {
    return null
  }
}

function psStart(pid: number): string | null {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null
  } catch {
    return null
  }
}
