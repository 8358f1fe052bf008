import { expect, it } from "vitest"
import { refreshPause } from "./refresh-pause.ts"

it("lets few readers see each second, and many together ask for no more than twenty pages a second", () => {
  expect([refreshPause(0), refreshPause(20)]).toEqual([1_000, 1_000])
  expect(200 / (refreshPause(200) / 1_000)).toBeLessThanOrEqual(20)
})
