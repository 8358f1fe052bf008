const day = 86_400_000
const spans: Record<string, number> = { m: 60_000, h: 3_600_000, d: day, w: 7 * day }

/**
 * The moment (epoch ms) that a query names: a day, a month or a year, by whose beginning it is meant, a time of day
 * (`2026-11-01T14:30`), `today`, `yesterday`, or how long ago (`24h`, `7d`, `2w`). Null for anything else.
 */
export function parseTime(text: string, { now, utcOffset }: { now: number; utcOffset: number }): number | null {
  const value = text.toLowerCase()
  const offset = utcOffset * 60_000
  const today = Math.floor((now + offset) / day) * day - offset
  if (value === "today") return today
  if (value === "yesterday") return today - day
  const [, count, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(value) ?? []
  if (count !== undefined) return now - Number(count) * (spans[unit] ?? 0)
  const [, date, hour = "00:00"] = /^(\d{4}(?:-\d\d){0,2})(?:t(\d\d:\d\d))?$/.exec(value) ?? []
  if (date === undefined) return null
  const at = Date.parse(`${date}${"-01-01".slice(0, 10 - date.length)}T${hour}Z`)
  return Number.isNaN(at) ? null : at - offset
}
