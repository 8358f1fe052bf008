const day = /^\d{4}-\d\d-\d\d$/

/** When a day of a date field begins where the reader is, epoch ms; undefined for a field without one. */
export function dayStart(typed: string): number | undefined {
  const at = day.test(typed) ? new Date(`${typed}T00:00:00`).getTime() : Number.NaN
  return at >= 0 ? at : undefined
}

/** When it is over: the day after may begin 23 or 25 hours after it did. */
export function dayEnd(typed: string): number | undefined {
  const start = dayStart(typed)
  if (start === undefined) return undefined
  const next = new Date(start)
  next.setDate(next.getDate() + 1)
  return next.getTime()
}
