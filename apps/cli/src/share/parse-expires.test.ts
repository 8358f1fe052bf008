import { expect, it } from "vitest"
import { parseExpires } from "./parse-expires.ts"

const now = Date.UTC(2026, 10, 22, 12)

it.each([
  ["90m", now + 5_400_000],
  ["12h", now + 43_200_000],
  ["7d", now + 604_800_000],
  ["2w", now + 1_209_600_000],
  ["2026-12-24T18:00:00Z", Date.UTC(2026, 11, 24, 18)],
])("--expires takes %s", (given, time) => {
  expect(parseExpires(given, now)).toBe(time)
})

it.each(["", "0d", "soon", "-1d", "2020-01-01", "7"])("--expires refuses %j", (given) => {
  expect(() => parseExpires(given, now)).toThrow("Give a time from now")
})
