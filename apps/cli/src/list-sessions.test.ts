import { expect, it } from "vitest"
import { parseLimit } from "./list-sessions.ts"

it.each(["abc", "", "0", "-5", "1.5", "1e2", "201"])(
  "refuses %j as how many sessions to list, and says what fits",
  (given) => {
    expect(() => parseLimit(given)).toThrow("Give a number from 1 to 200.")
  },
)

it("takes whole numbers within what the service lists", () => {
  expect([parseLimit("1"), parseLimit("200")]).toEqual([1, 200])
})
