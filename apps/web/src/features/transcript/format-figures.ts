/** Milliseconds as people read them: `0.4s`, `12s`, `3m 05s`, `1h 02m`. */
export function formatDuration(ms: number): string {
  const safe = Math.max(0, ms)
  if (safe < 9_950) return `${(safe / 1000).toFixed(1)}s`
  const seconds = Math.round(safe / 1000)
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`
}

/** A token count with at most three significant digits: `980`, `12.4k`, `3.1M`. */
export function formatTokens(count: number): string {
  if (count < 1_000) return String(Math.round(count))
  if (count < 999_500) return `${shorten(count / 1_000)}k`
  return `${shorten(count / 1_000_000)}M`
}

/** USD. Sub-cent sums keep the digits that matter; zero is `$0`. */
export function formatCost(usd: number): string {
  if (usd <= 0) return "$0"
  if (usd < 0.0001) return "<$0.0001"
  if (usd < 0.01) return `$${usd.toFixed(4)}`
  return `$${usd.toFixed(2)}`
}

/** `1 file`, `3 files`. */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : plural}`
}

function shorten(value: number): string {
  return value < 99.95 ? String(Number(value.toFixed(1))) : String(Math.round(value))
}
