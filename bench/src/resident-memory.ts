import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"

/** Resident memory of a process in MiB. */
export function residentMemory(pid: number): number {
  if (process.platform === "linux") {
    const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))
    return Number(line?.[1]) / 1024
  }
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) / 1024
}

/** Memory (MiB) after the service was idle long enough to release what it can. */
export async function idleMemory({ pid }: { pid: number }): Promise<number> {
  await delay(6_000)
  return residentMemory(pid)
}
