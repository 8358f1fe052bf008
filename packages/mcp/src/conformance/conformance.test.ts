import { describe, expect, test } from "vitest"
import { runScenario } from "./run-scenario.ts"
import { scenarios } from "./scenarios.ts"

describe("the conformance suite", () => {
  test("has 26 scenarios for clients", () => {
    expect(new Set(scenarios).size).toBe(26)
  })

  test.each(scenarios)("passes %s", { timeout: 90_000 }, async (name) => {
    const { isPassed, failures, output } = await runScenario(name)
    expect(failures).toEqual([])
    expect(isPassed, output).toBe(true)
  })
})
