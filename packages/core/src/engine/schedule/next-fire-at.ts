import { Cron } from "croner"
import type { Schedule } from "../../ground/schema/index.ts"

/**
 * The first moment (epoch ms) after `after` at which a recurring schedule falls due, or null when there is
 * none. Cron fields are read in `timeZone`: a time that the change to summer time leaves out falls due right
 * behind the gap, one that comes twice falls due once. An interval counts from the creation.
 */
export function nextFireAt(
  schedule: Pick<Schedule, "cron" | "interval"> & { time: { created: number } },
  after: number,
  timeZone: string,
): number | null {
  if (schedule.cron !== null) return nextOfCron(schedule.cron, after, timeZone)
  if (schedule.interval === null) return null
  const passed = Math.floor((after - schedule.time.created) / schedule.interval)
  return schedule.time.created + Math.max(1, passed + 1) * schedule.interval
}

/** @throws Error with the reason when the five fields cannot be read */
export function nextOfCron(fields: string, after: number, timeZone: string): number | null {
  return new Cron(fields, { timezone: timeZone, mode: "5-part" }).nextRun(new Date(after))?.getTime() ?? null
}
