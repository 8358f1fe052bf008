import { expect, test } from "vitest"
import type { Measurement, Stage } from "../measurement.ts"
import { compare } from "./compare.ts"
import { comparisonTable } from "./comparison-table.ts"

/** The comparison reads only the process id; the rest is for the measurements. */
const stageOf = (checkout: string) => ({ checkout, server: { pid: process.pid } }) as Stage

function measurement(name: string, measure: Measurement["measure"]): Measurement {
  return { name, label: name, unit: "ms", aim: 10, opencode: "–", measure }
}

const stages = { before: stageOf("old"), now: stageOf("new") }

test("two checkouts are measured alternately, with new stages in each round", async () => {
  const measured: string[] = []
  /** A measurement gives the number of different stages so far: it grows by 2 in each round. */
  const seen = new Set<Stage>()
  const named = (name: string) =>
    measurement(name, async (stage) => {
      measured.push(`${name} ${stage.checkout}`)
      return seen.add(stage).size
    })
  const reported: string[] = []
  const comparisons = await compare([named("turn"), named("tool")], stages, {
    rounds: 2,
    onMeasured: (one) => reported.push(one.measurement.name),
  })
  expect(measured).toEqual(["turn", "tool"].flatMap((name) => [0, 0].flatMap(() => [`${name} old`, `${name} new`])))
  expect(reported).toEqual(["turn", "tool"])
  expect(comparisons[1]?.now.map(({ value }) => value)).toEqual([4, 4])
})

test("the table shows medians, their ratio and the ratio of the best", async () => {
  const values = { old: [10, 12, 40], new: [9, 24, 15] }
  const next = async ({ checkout }: Stage) => values[checkout === "old" ? "old" : "new"].shift() ?? 0
  const table = comparisonTable(await compare([measurement("turn", next)], stages, { rounds: 3, onMeasured: () => {} }))
  const [head, line] = table.split("\n").map((text) => text.trim().split(/ {2,}/))
  expect(head).toEqual(["measurement", "before", "now", "ratio", "of the best", "of processor time", "aim"])
  expect(line).toEqual(["turn", "12.0 ms", "15.0 ms", "1.25", "0.90", "≤ 10.0 ms"])
})

test("a measurement missing in the older checkout is reported as failed", async () => {
  const measure = async ({ checkout }: Stage) => {
    if (checkout === "old") throw new Error("no such route")
    return 3
  }
  const [comparison] = await compare([measurement("page", measure)], stages, { rounds: 1, onMeasured: () => {} })
  expect(comparison?.before[0]).toMatchObject({ value: null, problem: "Error: no such route" })
  expect(comparisonTable(comparison ? [comparison] : [])).toMatch(/page +failed +3\.0 ms/)
})
