import { lazily } from "@docket/core/lazily"

// Creating a format takes a browser some milliseconds, so each is created on first use.
const relative = lazily(() => new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" }))
const day = lazily(() => new Intl.DateTimeFormat("en", { day: "numeric", month: "short" }))
const dayAndYear = lazily(() => new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" }))

const dayParts = { day: "numeric", month: "long", year: "numeric" } as const
const longDay = lazily(() => new Intl.DateTimeFormat("en", dayParts))
const longDayUTC = lazily(() => new Intl.DateTimeFormat("en", { ...dayParts, timeZone: "UTC" }))

/** Formatted without Intl, which is slow to create, because every row shows a date. */
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const twoDigits = (number: number) => String(number).padStart(2, "0")

/** Epoch ms relative to `now`: now, 5 min. ago, yesterday, Mar 12. */
export function formatRelative(time: number, now: number): string {
  const minutes = Math.round((time - now) / 60_000)
  if (minutes > -1) return "now"
  if (minutes > -60) return relative().format(minutes, "minute")
  if (minutes > -24 * 60) return relative().format(Math.round(minutes / 60), "hour")
  if (minutes > -7 * 24 * 60) return relative().format(Math.round(minutes / 1440), "day")
  return (new Date(time).getFullYear() === new Date(now).getFullYear() ? day : dayAndYear)().format(time)
}

/** Epoch ms as a 24-hour time in every locale, in the user's zone or in UTC: 14:02. */
export function formatClock(time: number, zone?: "UTC"): string {
  const at = new Date(time)
  const parts = zone === undefined ? [at.getHours(), at.getMinutes()] : [at.getUTCHours(), at.getUTCMinutes()]
  return parts.map(twoDigits).join(":")
}

/** Epoch ms as a date in the user's zone or in UTC: March 12, 2026. */
export function formatDay(time: number, zone?: "UTC"): string {
  return (zone === undefined ? longDay : longDayUTC)().format(time)
}

/** Epoch ms with date and time to the second, so that times within a minute differ: Mar 12, 2026, 14:02:05. */
export function formatDateTime(time: number): string {
  const at = new Date(time)
  const day = `${months[at.getMonth()]} ${at.getDate()}, ${at.getFullYear()}`
  return `${day}, ${formatClock(time)}:${twoDigits(at.getSeconds())}`
}

/** Bytes in readable units: 812 B, 12 KB, 1.4 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
