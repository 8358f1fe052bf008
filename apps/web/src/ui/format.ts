import { lazily } from "@docket/core/lazily"

// Each takes a browser some milliseconds to make: none is made before something is shown with it.
const relative = lazily(() => new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" }))
const day = lazily(() => new Intl.DateTimeFormat("en", { day: "numeric", month: "short" }))
const dayAndYear = lazily(() => new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" }))

const dayParts = { day: "numeric", month: "long", year: "numeric" } as const
const longDay = lazily(() => new Intl.DateTimeFormat("en", dayParts))
const longDayUTC = lazily(() => new Intl.DateTimeFormat("en", { ...dayParts, timeZone: "UTC" }))

/** Of what every row says: read from the date itself, which costs nothing to begin with. */
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const twoDigits = (number: number) => String(number).padStart(2, "0")

/** Epoch ms as a distance from `now`: now, 5 min. ago, yesterday, Mar 12. */
export function formatRelative(time: number, now: number): string {
  const minutes = Math.round((time - now) / 60_000)
  if (minutes > -1) return "now"
  if (minutes > -60) return relative().format(minutes, "minute")
  if (minutes > -24 * 60) return relative().format(Math.round(minutes / 60), "hour")
  if (minutes > -7 * 24 * 60) return relative().format(Math.round(minutes / 1440), "day")
  return (new Date(time).getFullYear() === new Date(now).getFullYear() ? day : dayAndYear)().format(time)
}

/** Epoch ms as the time of day of 24 hours wherever the reader is, in their own zone or in UTC: 14:02. */
export function formatClock(time: number, zone?: "UTC"): string {
  const at = new Date(time)
  const parts = zone === undefined ? [at.getHours(), at.getMinutes()] : [at.getUTCHours(), at.getUTCMinutes()]
  return parts.map(twoDigits).join(":")
}

/** Epoch ms as a day of the reader's zone or of UTC: March 12, 2026. */
export function formatDay(time: number, zone?: "UTC"): string {
  return (zone === undefined ? longDay : longDayUTC)().format(time)
}

/** Epoch ms in full, to the second, as several within a minute are told apart: Mar 12, 2026, 14:02:05. */
export function formatDateTime(time: number): string {
  const at = new Date(time)
  const day = `${months[at.getMonth()]} ${at.getDate()}, ${at.getFullYear()}`
  return `${day}, ${formatClock(time)}:${twoDigits(at.getSeconds())}`
}

/** Bytes as people read them: 812 B, 12 KB, 1.4 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
