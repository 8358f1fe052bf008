/** All faults, in the order in which they were found. */
export interface Faults {
  add(where: string, what: string): void
  /** Counts a successful check, by name. */
  passed(check: string): void
  list(): readonly string[]
  checks(): ReadonlyMap<string, number>
}

/** Each fault is reported at once, with its place and the minute of the run. `now` in ms from the start. */
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
