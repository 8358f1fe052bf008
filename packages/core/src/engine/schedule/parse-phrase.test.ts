import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { localTime } from "./local-time.ts"
import { nextFireAt, parsePhrase, scheduleForms } from "./parse-phrase.ts"

const timeZone = "Europe/Berlin"
/** A Saturday, 15:30 in Berlin. */
const now = Date.parse("2026-11-21T14:30:00Z")
const plan = (phrase: string, at = now) => parsePhrase(phrase, { now: at, timeZone })
const fires = (phrase: string, at = now) => new Date(plan(phrase, at).fireAt).toISOString()

describe("one-shot phrases", () => {
  test.each([
    ["in 1 minute", "2026-11-21T14:31:00.000Z"],
    ["in 90 minutes", "2026-11-21T16:00:00.000Z"],
    ["in 2 hours", "2026-11-21T16:30:00.000Z"],
    ["in 3 days", "2026-11-24T14:30:00.000Z"],
    ["in 2 weeks", "2026-12-05T14:30:00.000Z"],
    ["In  2   WEEKS ", "2026-12-05T14:30:00.000Z"],
    ["at 16:00", "2026-11-21T15:00:00.000Z"],
    ["at 15:30", "2026-11-22T14:30:00.000Z"],
    ["at 8:05", "2026-11-22T07:05:00.000Z"],
    ["tomorrow", "2026-11-22T08:00:00.000Z"],
    ["tomorrow at 23:59", "2026-11-22T22:59:00.000Z"],
    ["on 2026-12-24", "2026-12-24T08:00:00.000Z"],
    ["on 2028-02-29 at 00:00", "2028-02-28T23:00:00.000Z"],
  ])("%j falls due at %s", (phrase, expected) => {
    expect(plan(phrase)).toMatchObject({ kind: "one-shot", cron: null, interval: null })
    expect(fires(phrase)).toBe(expected)
  })

  test("days and weeks keep the local time across clock changes", () => {
    const before = Date.parse("2026-10-24T10:00:00Z")
    expect(fires("in 1 day", before)).toBe("2026-10-25T11:00:00.000Z")
    expect(fires("in 24 hours", before)).toBe("2026-10-25T10:00:00.000Z")
  })

  test("a time skipped by summer time moves to the gap's end", () => {
    expect(fires("on 2027-03-28 at 02:30")).toBe("2027-03-28T01:30:00.000Z")
  })
})

describe("recurring phrases", () => {
  test.each([
    ["hourly", null, 3_600_000, "every hour"],
    ["every hour", null, 3_600_000, "every hour"],
    ["every 15 minutes", null, 900_000, "every 15 minutes"],
    ["every 2 hours", null, 7_200_000, "every 2 hours"],
    ["daily", "0 9 * * *", null, "every day at 09:00"],
    ["daily at 7:15", "15 7 * * *", null, "every day at 07:15"],
    ["weekly", "0 9 * * 1", null, "every monday at 09:00"],
    ["every day", "0 9 * * *", null, "every day at 09:00"],
    ["every day at 18:30", "30 18 * * *", null, "every day at 18:30"],
    ["every week", "0 9 * * 1", null, "every monday at 09:00"],
    ["every week on fri at 17:00", "0 17 * * 5", null, "every friday at 17:00"],
    ["every Sunday", "0 9 * * 0", null, "every sunday at 09:00"],
    ["every wed at 12:00", "0 12 * * 3", null, "every wednesday at 12:00"],
    ["every weekday at 09:00", "0 9 * * 1-5", null, "every weekday at 09:00"],
    ["every weekday", "0 9 * * 1-5", null, "every weekday at 09:00"],
    ["*/5 8-18 * * MON-FRI", "*/5 8-18 * * mon-fri", null, "*/5 8-18 * * mon-fri"],
  ])("%j has the cron fields %j or the interval %j", (phrase, cron, interval, normalized) => {
    expect(plan(phrase)).toMatchObject({ kind: "recurring", cron, interval, normalized })
    expect(plan(phrase).fireAt).toBeGreaterThan(now)
  })

  test("cron fields are read in the given time zone", () => {
    expect(fires("0 9 * * 1-5")).toBe("2026-11-23T08:00:00.000Z")
  })
})

test.each([
  ["", "Say when."],
  ["soon", "not a time that Docket understands"],
  ["at 25:00", "not a time of day"],
  ["tomorrow at noon", "not a time of day"],
  ["on 2026-02-30", "not a day of the calendar"],
  ["on 2026-11-20", "in the past"],
  ["every 0 minutes", "at least one minute"],
  ["in 99999999999999999999 weeks", "more than ten years"],
  ["every 99999999999999999999 hours", "more than ten years"],
  ["0 0 31 2 *", "never falls due"],
  ["99 * * * *", "cannot be read as cron fields"],
  ["* * * * * *", "not a time that Docket understands"],
])("%j is refused with the reason and the accepted forms", (phrase, reason) => {
  expect(() => plan(phrase)).toThrow(expect.objectContaining({ code: "schedule_phrase_invalid" }))
  expect(() => plan(phrase)).toThrow(reason)
  for (const form of scheduleForms) expect(() => plan(phrase)).toThrow(form)
})

test("any text is parsed or refused with the typed error", () => {
  const word = fc.constantFrom(
    "in",
    "at",
    "every",
    "on",
    "tomorrow",
    "5",
    "09:00",
    "day",
    "monday",
    "weeks",
    "*",
    "*/2",
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
  )
  fc.assert(
    fc.property(text, (phrase) => {
      try {
        expect(plan(phrase).fireAt).toBeGreaterThanOrEqual(now)
      } catch (error) {
        expect(error).toMatchObject({ code: "schedule_phrase_invalid" })
      }
    }),
    drawn(),
  )
})

const zones = fc.constantFrom("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC")
const moments = fc.integer({ min: Date.parse("2024-01-01"), max: Date.parse("2030-01-01") })

test("daily times come once a day, on time or after a gap", () => {
  const time = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
  fc.assert(
    fc.property(zones, moments, time, (zone, start, { hour, minute }) => {
      const { cron } = parsePhrase(`every day at ${hour}:${String(minute).padStart(2, "0")}`, {
        now: start,
        timeZone: zone,
      })
      let last = start
      let lastDay = 0
      for (let n = 0; n < 5; n++) {
        const next = nextFireAt({ cron, interval: null, time: { created: start } }, last, zone) ?? 0
        expect(next).toBeGreaterThan(last)
        const shown = localTime(next, zone)
        const late = (shown.hour - hour) * 60 + shown.minute - minute
        expect(late).toBeGreaterThanOrEqual(0)
        expect(late).toBeLessThanOrEqual(60)
        expect(shown.day).not.toBe(lastDay)
        lastDay = shown.day
        last = next
      }
    }),
    drawn(60),
  )
})

test("interval times come strictly later, in whole multiples since the creation", () => {
  fc.assert(
    fc.property(moments, moments, fc.integer({ min: 1, max: 500 }), (created, later, count) => {
      const { interval } = parsePhrase(`every ${count} minutes`, { now: created, timeZone })
      const schedule = { cron: null, interval, time: { created } }
      const first = nextFireAt(schedule, later, timeZone) ?? 0
      expect(first).toBeGreaterThan(later)
      expect((first - created) % (count * 60_000)).toBe(0)
      expect(nextFireAt(schedule, first, timeZone)).toBe(first + count * 60_000)
    }),
    drawn(),
  )
})

test("cron times come strictly later each time, at minutes the fields name", () => {
  // Zones that change their clock by a whole hour or never: another change would shift the minutes.
  const wholeHourChanges = fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC")
  const fields = fc.record({ step: fc.integer({ min: 1, max: 30 }), from: fc.integer({ min: 0, max: 12 }) })
  fc.assert(
    fc.property(wholeHourChanges, moments, fields, (zone, begin, { step, from }) => {
      const { cron, fireAt } = parsePhrase(`*/${step} ${from}-23 * * *`, { now: begin, timeZone: zone })
      let last = begin
      for (let next = fireAt, n = 0; n < 20; n++) {
        expect(next).toBeGreaterThan(last)
        expect(localTime(next, zone).minute % step).toBe(0)
        last = next
        next = nextFireAt({ cron, interval: null, time: { created: begin } }, last, zone) ?? 0
      }
    }),
    drawn(60),
  )
})
