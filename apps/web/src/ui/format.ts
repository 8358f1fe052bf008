const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" })
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" })
const dayAndYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" })

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" })

/** A duration in ms as people read it: 4.2 s, 38 s, 3 m 08 s, 1 h 04 m. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.floor(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} m ${String(whole % 60).padStart(2, "0")} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} m`
}

/** Epoch ms as a distance from `now`: now, 5 min. ago, yesterday, 12 Mar. */
export function formatRelative(time: number, now: number): string {
  const minutes = Math.round((time - now) / 60_000)
  if (minutes > -1) return "now"
  if (minutes > -60) return relative.format(minutes, "minute")
  if (minutes > -24 * 60) return relative.format(Math.round(minutes / 60), "hour")
  if (minutes > -7 * 24 * 60) return relative.format(Math.round(minutes / 1440), "day")
  return (new Date(time).getFullYear() === new Date(now).getFullYear() ? day : dayAndYear).format(time)
}

/** Epoch ms as the time of day: 14:02. */
export function formatClock(time: number): string {
  return clock.format(time)
}

/** Bytes as people read them: 812 B, 12 KB, 1.4 MB. */
export function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
