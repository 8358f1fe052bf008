import { readdirSync } from "node:fs"

/** Number of open file descriptors of a process; null where the system does not report it (all but Linux). */
export function openFiles(pid: number): number | null {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : null
}
