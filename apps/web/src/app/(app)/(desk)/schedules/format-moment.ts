import { formatClock } from "../../../../ui/format.ts"

const weekday = new Intl.DateTimeFormat("en", { weekday: "short" })
const day = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" })
const dayAndYear = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric" })

const dayMs = 86_400_000

/** Epoch ms as a time close to `now`: today 09:00, tomorrow 09:00, Mon 09:00, Mar 12 09:00. */
export function formatMoment(time: number, now: number): string {
  const days = Math.round((midnight(time) - midnight(now)) / dayMs)
  const at = formatClock(time)
  if (days === 0) return `today ${at}`
  if (days === 1) return `tomorrow ${at}`
  if (days === -1) return `yesterday ${at}`
  if (days > 1 && days < 7) return `${weekday.format(time)} ${at}`
  const sameYear = new Date(time).getFullYear() === new Date(now).getFullYear()
  return `${(sameYear ? day : dayAndYear).format(time)} ${at}`
}

function midnight(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0)
}
