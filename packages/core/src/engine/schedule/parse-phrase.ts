import { Cron } from "croner"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Schedule } from "../../ground/schema/index.ts"
import { addDays, formatLocal, localMoment, localTime } from "./local-time.ts"

/** When a schedule is due, read from its phrase. `fireAt` is the first time, in epoch ms. */
interface SchedulePlan extends Pick<Schedule, "kind" | "cron" | "interval"> {
  fireAt: number
  /** The complete phrase, with defaults filled in: `every day at 09:00`. */
  normalized: string
}

/** Every accepted form, for error messages and help. */
export const scheduleForms = [
  "in N minutes|hours|days|weeks",
  "at HH:MM",
  "tomorrow [at HH:MM]",
  "on YYYY-MM-DD [at HH:MM]",
  "hourly",
  "every N minutes|hours",
  "daily [at HH:MM]",
  "weekly [on <weekday>] [at HH:MM]",
  "every day|week|weekday|<weekday> [at HH:MM]",
  "five cron fields, for example 0 9 * * 1-5",
] as const

interface Now {
  now: number
  timeZone: string
}

/**
 * Reads a phrase (case is ignored) or five cron fields. Times are in `timeZone`; a day without a time means 09:00 and a
 * week without a day its Monday, as in Arbiter.
 * @throws schedule_phrase_invalid with the reason and the accepted forms
 */
export function parsePhrase(text: string, now: Now): SchedulePlan {
  const phrase = text.trim().toLowerCase().replace(/\s+/g, " ")
  for (const { pattern, plan } of forms) {
    const match = pattern.exec(phrase)
    if (match !== null) return plan(match.groups ?? {}, now)
  }
  if (/^[\d*/,-]+( \S+){4}$/.test(phrase)) return cronPlan(phrase, phrase, now)
  throw refusal(phrase === "" ? "Say when." : `"${text.trim().slice(0, 200)}" is not a time that Docket understands.`)
}

function refusal(reason: string, cause?: unknown): DocketError {
  return new DocketError("schedule_phrase_invalid", `${reason} Accepted: ${scheduleForms.join("; ")}.`, { cause })
}

const minute = 60_000
const hour = 60 * minute
/** ms; a schedule may be at most ten years ahead. */
const horizon = 3_653 * 24 * hour

const at = String.raw`(?: at (?<time>\S+))?`
const weekday = "sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?"

/** The named groups of the patterns below. */
type Groups = Partial<Record<"count" | "unit" | "time" | "date" | "day", string>>

const forms: { pattern: RegExp; plan(groups: Groups, now: Now): SchedulePlan }[] = [
  { pattern: form(`in (?<count>\\d+) (?<unit>minute|min|m|hour|h|day|d|week|w)s?`), plan: fromNow },
  { pattern: form(String.raw`at (?<time>\S+)`), plan: nextTime },
  { pattern: form(`tomorrow${at}`), plan: tomorrow },
  { pattern: form(String.raw`on (?<date>\d{4}-\d{2}-\d{2})${at}`), plan: onDay },
  { pattern: form("hourly|every hour"), plan: (_, now) => interval(hour, "every hour", now) },
  { pattern: form("every minute"), plan: (_, now) => interval(minute, "every minute", now) },
  { pattern: form(`every (?<count>\\d+) (?<unit>minute|min|m|hour|h)s?`), plan: everyFew },
  { pattern: form(`(?:daily|every day)${at}`), plan: ({ time }, now) => onDays("*", "every day", time, now) },
  { pattern: form(`every weekday${at}`), plan: ({ time }, now) => onDays("1-5", "every weekday", time, now) },
  { pattern: form(`(?:weekly|every week)(?: on (?<day>${weekday}))?${at}`), plan: everyWeek },
  { pattern: form(`every (?<day>${weekday})${at}`), plan: everyWeek },
]

function form(source: string): RegExp {
  return new RegExp(`^(?:${source})$`)
}

function fromNow({ count, unit = "" }: Groups, now: Now): SchedulePlan {
  const n = Number(count)
  const inUnits = (moment: number | null, units: string) =>
    oneShot(moment, (shown) => `in ${n} ${units} (${shown})`, now)
  if (unit.startsWith("m")) return inUnits(now.now + n * minute, "minutes")
  if (unit.startsWith("h")) return inUnits(now.now + n * hour, "hours")
  const weeks = unit.startsWith("w")
  const days = weeks ? n * 7 : n
  if (days * 24 * hour > horizon) throw tooFar()
  const local = localTime(now.now, now.timeZone)
  return inUnits(localMoment(addDays(local, days), local, now.timeZone), weeks ? "weeks" : "days")
}

function nextTime({ time }: Groups, { now, timeZone }: Now): SchedulePlan {
  const today = localTime(now, timeZone)
  const clock = timeOfDay(time)
  const first = localMoment(today, clock, timeZone)
  const moment = first !== null && first > now ? first : localMoment(addDays(today, 1), clock, timeZone)
  return oneShot(moment, (shown) => `at ${shown}`, { now, timeZone })
}

function tomorrow({ time }: Groups, { now, timeZone }: Now): SchedulePlan {
  const day = addDays(localTime(now, timeZone), 1)
  const moment = localMoment(day, timeOfDay(time), timeZone)
  return oneShot(moment, (shown) => `tomorrow at ${shown}`, { now, timeZone })
}

function onDay({ date = "", time }: Groups, now: Now): SchedulePlan {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number)
  const moment = localMoment({ year, month, day }, timeOfDay(time), now.timeZone)
  if (moment === null) throw refusal(`${date} is not a day of the calendar.`)
  return oneShot(moment, (shown) => `on ${shown}`, now)
}

function everyFew({ count, unit = "" }: Groups, now: Now): SchedulePlan {
  const n = Number(count)
  const minutes = unit.startsWith("m")
  return interval(n * (minutes ? minute : hour), `every ${n} ${minutes ? "minutes" : "hours"}`, now)
}

function everyWeek({ day = "monday", time }: Groups, now: Now): SchedulePlan {
  const index = weekdays.findIndex((name) => name.startsWith(day))
  return onDays(String(index), `every ${weekdays[index]}`, time, now)
}

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

function onDays(cronDays: string, name: string, time: string | undefined, now: Now): SchedulePlan {
  const clock = timeOfDay(time)
  const shown = `${String(clock.hour).padStart(2, "0")}:${String(clock.minute).padStart(2, "0")}`
  return cronPlan(`${clock.minute} ${clock.hour} * * ${cronDays}`, `${name} at ${shown}`, now)
}

function timeOfDay(text = "09:00"): { hour: number; minute: number } {
  const match = /^(\d{1,2}):(\d{2})$/.exec(text)
  const [h, m] = [Number(match?.[1]), Number(match?.[2])]
  if (match === null || h > 23 || m > 59)
    throw refusal(`"${text.slice(0, 50)}" is not a time of day: write it as HH:MM.`)
  return { hour: h, minute: m }
}

function oneShot(moment: number | null, name: (shown: string) => string, { now, timeZone }: Now): SchedulePlan {
  if (moment === null || moment > now + horizon) throw tooFar()
  const shown = formatLocal(moment, timeZone)
  if (moment < now) throw refusal(`${shown} is in the past.`)
  return { kind: "one-shot", cron: null, interval: null, fireAt: moment, normalized: name(shown) }
}

function tooFar(): DocketError {
  return refusal("That is more than ten years away.")
}

function interval(length: number, normalized: string, { now, timeZone }: Now): SchedulePlan {
  if (length === 0) throw refusal("The interval must be at least one minute.")
  if (length > horizon) throw tooFar()
  const fireAt = nextFireAt({ cron: null, interval: length, time: { created: now } }, now, timeZone) ?? now + length
  return { kind: "recurring", cron: null, interval: length, fireAt, normalized }
}

function cronPlan(cron: string, normalized: string, { now, timeZone }: Now): SchedulePlan {
  let fireAt: number | null
  try {
    fireAt = nextOfCron(cron, now, timeZone)
  } catch (cause) {
    throw refusal(`"${cron}" cannot be read as cron fields: ${cause instanceof Error ? cause.message : cause}.`, cause)
  }
  if (fireAt === null) throw refusal(`"${cron}" never falls due.`)
  return { kind: "recurring", cron, interval: null, fireAt, normalized }
}

/**
 * The first time (epoch ms) after `after` at which a recurring schedule is due, or null when there is none. Cron fields
 * are in `timeZone`: a time skipped by the change to summer time is due right after the gap, one that occurs twice is
 * due once. An interval counts from the schedule's creation.
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
function nextOfCron(fields: string, after: number, timeZone: string): number | null {
  return new Cron(fields, { timezone: timeZone, mode: "5-part" }).nextRun(new Date(after))?.getTime() ?? null
}
