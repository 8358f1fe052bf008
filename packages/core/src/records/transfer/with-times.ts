/** A row whose times are not before 1970 and not to come: `now` is epoch ms. Others would stand in wrong places. */
export function withTimes<T extends object>(row: T, now: number): T {
  const changed: Record<string, unknown> = {}
  if ("time" in row) changed.time = bounded(row.time, now)
  if ("ended" in row) changed.ended = bounded(row.ended, now)
  if ("state" in row && typeof row.state === "object" && row.state !== null && "time" in row.state)
    changed.state = { ...row.state, time: bounded(row.state.time, now) }
  // Only numbers are others.
  return { ...row, ...changed } as T
}

function bounded(times: unknown, now: number): unknown {
  if (typeof times !== "object" || times === null) return times
  return Object.fromEntries(
    Object.entries(times).map(([name, time]) => [
      name,
      typeof time === "number" ? Math.min(Math.max(time, 0), now) : time,
    ]),
  )
}
