/** What was not as it should be, in the order in which it was seen. */
export interface Faults {
  add(where: string, what: string): void
  /** What was looked at and found as it should be, by name. */
  passed(check: string): void
  list(): readonly string[]
  checks(): ReadonlyMap<string, number>
}

/** Each fault is told at once, with the minute of the run, and where. `now` in ms from its start. */
export function createFaults(now: () => number, tell: (line: string, where: string) => void): Faults {
  const list: string[] = []
  const checks = new Map<string, number>()
  return {
    add(where, what) {
      const line = `${(now() / 60_000).toFixed(1)} min, ${where}: ${what}`
      list.push(line)
      tell(line, where)
    },
    passed: (check) => void checks.set(check, (checks.get(check) ?? 0) + 1),
    list: () => list,
    checks: () => checks,
  }
}
