import { readFileSync } from "node:fs"

/** Ticks a second in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100

/**
 * Processor time (ms) that a process and the children it has waited for have used, to 10 ms; null where the system does
 * not tell (all but Linux). Unlike wall time it hardly grows while other programs work.
 */
export function processorTime(pid: number): number | null {
  if (process.platform !== "linux") return null
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The name of the program, in brackets, may hold spaces. Then: state, ten more, utime, stime, cutime, cstime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1_000) / ticksPerSecond
}
