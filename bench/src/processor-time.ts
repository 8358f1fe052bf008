import { readdirSync, readFileSync } from "node:fs"

/** Clock ticks per second in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100

/**
 * Processor time (ms) of a process and its ended children, with a resolution of 10 ms; null where the system does not
 * report it (all but Linux). Unlike wall time, it hardly grows while other programs run.
 */
export function processorTime(pid: number): number | null {
  if (process.platform !== "linux") return null
  return timeOf(fieldsOf(pid))
}

/**
 * Processor time (ms) of a process, its children and those that ended, without grandchildren; null where the system
 * does not report it.
 */
export function familyTime(pid: number): number | null {
  if (process.platform !== "linux") return null
  let sum = timeOf(fieldsOf(pid))
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue
    try {
      const fields = fieldsOf(Number(name))
      if (Number(fields[1]) === pid) sum += timeOf(fields)
    } catch {
      // It ended in this moment, and counts as an ended child the next time.
    }
  }
  return sum
}

/** What the system says of a process: state, parent, nine more fields, utime, stime, cutime, cstime. */
function fieldsOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
  // The program name before them, in parentheses, may contain spaces.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
}

function timeOf(fields: readonly string[]): number {
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return (ticks * 1_000) / ticksPerSecond
}
