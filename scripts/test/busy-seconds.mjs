import { readFileSync } from "node:fs"

/** Unit of Linux's counters: every kernel that Node runs on has 100 per second. */
const ticksPerSecond = 100

/** Seconds that the processors of this machine were busy since it started; null where the system does not report it. */
export function readBusySeconds() {
  if (process.platform !== "linux") return null
  const [, user, nice, system, , , irq, softirq] = readFileSync("/proc/stat", "utf8")
    .split("\n")[0]
    .split(/\s+/)
    .map(Number)
  return Math.round((user + nice + system + irq + softirq) / ticksPerSecond)
}
