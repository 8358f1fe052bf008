import { expect, it } from "vitest"
import type { Stage } from "./measurement.ts"
import { onceAStage } from "./once-a-stage.ts"

it("measures each stage once, also when asked again meanwhile", async () => {
  // The stage is not used here: it only has to be a different object.
  const [first, second] = [{}, {}] as [Stage, Stage]
  let runs = 0
  const figures = onceAStage(async () => ++runs)
  expect(await Promise.all([figures(first), figures(first), figures(second)])).toEqual([1, 1, 2])
  expect(await figures(first)).toBe(1)
})
