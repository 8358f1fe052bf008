import { readFileSync } from "node:fs"

/** Clock ticks per second in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100

/**
 * Processor time (ms) of a process and its ended children, with a resolution of 10 ms; null where the system does not
 * report it (all but Linux). Unlike wall time, it hardly grows while other programs run.
 */
export function processorTime(pid: number): number | null {
  if (process.platform !== "linux") return null
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The program name, in parentheses, may contain spaces. After it: state, ten more fields, utime, stime, cutime,
  // cstime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1_000) / ticksPerSecond
}
