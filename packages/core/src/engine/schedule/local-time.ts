import { Cron } from "croner"

/** A day of the calendar; months from 1. */
export interface LocalDay {
  year: number
  month: number
  day: number
}

/** The local time in `timeZone` (IANA) at `at` (epoch ms). */
export function localTime(at: number, timeZone: string): LocalDay & { hour: number; minute: number; second: number } {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(at)
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  return {
    year: value("year"),
    month: value("month"),
    day: value("day"),
    hour: value("hour"),
    minute: value("minute"),
    second: value("second"),
  }
}

/**
 * The epoch ms of a local day and time; null for a day that does not exist. A time skipped by the change to summer time
 * moves to the end of the gap; of a time that occurs twice, the first one counts.
 */
export function localMoment(
  { year, month, day }: LocalDay,
  { hour, minute, second = 0 }: { hour: number; minute: number; second?: number },
  timeZone: string,
): number | null {
  const midnight = new Date(Date.UTC(year, month - 1, day))
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return null
  const time = [hour, minute, second].map((part) => String(part).padStart(2, "0")).join(":")
  return (
    new Cron(`${isoDay({ year, month, day })}T${time}`, { timezone: timeZone }).nextRun(new Date(0))?.getTime() ?? null
  )
}

export function addDays({ year, month, day }: LocalDay, days: number): LocalDay {
  const moved = new Date(Date.UTC(year, month - 1, day + days))
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

/** `2026-11-21 09:00`, for people. */
export function formatLocal(at: number, timeZone: string): string {
  const { hour, minute, ...day } = localTime(at, timeZone)
  return `${isoDay(day)} ${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`
}

function isoDay({ year, month, day }: LocalDay): string {
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
}
