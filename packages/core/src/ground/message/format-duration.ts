/** A duration in ms as people read it: 4.2 s, 38 s, 3 m 08 s, 1 h 04 m, 24 h. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000
  // From 9.95 on, one decimal would round up to 10.0.
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : inWholeSeconds(Math.floor(seconds))
}

/** A time to come, in ms, in whole seconds, as a countdown shows it: 4 s, 38 s, 6 m 34 s. */
export function formatCountdown(ms: number): string {
  return inWholeSeconds(Math.ceil(Math.max(0, ms) / 1_000))
}

function inWholeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} m ${String(seconds % 60).padStart(2, "0")} s`
  const hours = `${Math.floor(minutes / 60)} h`
  return minutes % 60 === 0 ? hours : `${hours} ${String(minutes % 60).padStart(2, "0")} m`
}
