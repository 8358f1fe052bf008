import { expect, it } from "vitest"
import { refreshPause } from "./refresh-pause.ts"

it("few readers refresh each second, many share twenty refreshes a second", () => {
  expect([refreshPause(0), refreshPause(20)]).toEqual([1_000, 1_000])
  expect(200 / (refreshPause(200) / 1_000)).toBeLessThanOrEqual(20)
})
