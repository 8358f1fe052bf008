const day = /^\d{4}-\d\d-\d\d$/

/** Start of a date field's day in the user's time zone (epoch ms); undefined for an empty field. */
export function dayStart(typed: string): number | undefined {
  const at = day.test(typed) ? new Date(`${typed}T00:00:00`).getTime() : Number.NaN
  return at >= 0 ? at : undefined
}

/** End of the day. Computed from the date, because a day may have 23 or 25 hours. */
export function dayEnd(typed: string): number | undefined {
  const start = dayStart(typed)
  if (start === undefined) return undefined
  const next = new Date(start)
  next.setDate(next.getDate() + 1)
  return next.getTime()
}
