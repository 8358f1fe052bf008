import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

/** Resident memory of a process in MiB. */
export function residentMemory(pid: number): number {
  if (process.platform === "linux") {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
    return Number(line?.[1]) / 1024
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024
}
