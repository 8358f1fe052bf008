import { readdirSync } from "node:fs"

/** Open file descriptors of a process, or null where the system does not tell (all but Linux). */
export function openFiles(pid: number): number | null {
  return process.platform === "linux" ? readdirSync(`/proc/${pid}/fd`).length : null
}
