import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loadCatalogue } from "./catalogue/own-catalogue.ts"
import { costOf } from "./cost-of.ts"
import { retryDelay } from "./retry-delay.ts"

const price = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }
const usage = (input: number, output: number, reasoning = 0, read = 0, write = 0) => ({
  input,
  output,
  reasoning,
  cache: { read, write },
})

describe("costOf", () => {
  it("bills reasoning as output and cached tokens at their own price", () => {
    expect(costOf({ cost: price }, usage(1_000_000, 0))).toBe(3)
    expect(costOf({ cost: price }, usage(10, 20, 30, 40, 50))).toBe(0.0009795)
    expect(costOf({ cost: null }, usage(1, 1))).toBe(0)
  })

  it("has no binary rounding: 0.1 and 0.2 make 0.3", () => {
    const cost = { input: 0.1, output: 0.2, cacheRead: 0, cacheWrite: 0 }
    expect(costOf({ cost }, usage(1_000_000, 1_000_000))).toBe(0.3)
  })

  it("of two steps is the exact sum of both", () => {
    const count = fc.integer({ min: 0, max: 2_000_000 })
    fc.assert(
      fc.property(count, count, (a, b) => {
        const both = costOf({ cost: price }, usage(a + b, 0))
        expect(
          Math.abs(both - costOf({ cost: price }, usage(a, 0)) - costOf({ cost: price }, usage(b, 0))),
        ).toBeLessThan(1e-9)
      }),
      drawn(),
    )
  })
})

describe("retryDelay", () => {
  const options = { random: () => 0, now: () => Date.UTC(2026, 0, 1) }
  it("doubles from 2 s, at most 30 s, five times", () => {
    expect([1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(attempt, options))).toEqual([
      2000,
      4000,
      8000,
      16000,
      30000,
      null,
    ])
  })
  it("adds at most a quarter", () => {
    expect(retryDelay(1, { ...options, random: () => 0.999 })).toBe(2500)
  })
  it.each([
    [{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
    [{ "retry-after": "9" }, 9000],
    [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
    [{ "retry-after": "Thu, 01 Jan 2020 00:00:00 GMT" }, 2000],
    [{ "retry-after": "0" }, 2000],
    [{ "retry-after": "-5" }, 2000],
    [{ "retry-after": "" }, 2000],
    [{ "retry-after": "9 apples" }, 2000],
    [{ "retry-after-ms": "0", "retry-after": "9" }, 9000],
    [{ "retry-after-ms": "-1" }, 2000],
    [{ "retry-after": "600" }, 600_000],
    [{ "retry-after": "601" }, null],
    [{ "retry-after": "99999999999" }, null],
    [{ "retry-after": "Thu, 01 Jan 2026 06:00:00 GMT" }, null],
    [{ "retry-after-ms": "Infinity" }, 2000],
    [{ "retry-after": "soon" }, 2000],
  ])("follows %j", (headers, delay) => expect(retryDelay(1, { ...options, headers })).toBe(delay))
})

describe("the catalogue", () => {
  it("knows limits and prices of current models of three providers, newest first", async () => {
    const catalogue = await loadCatalogue()
    for (const id of ["anthropic", "openai", "google"]) {
      const models = catalogue.get(id)?.models ?? []
      expect(models.length).toBeGreaterThan(5)
      expect(new Set(models.map((model) => model.id)).size).toBe(models.length)
      for (const { limit, cost } of models) {
        expect(limit.context).toBeGreaterThan(8_000)
        expect(cost?.output).toBeGreaterThan(0)
      }
    }
    const sonnet = catalogue.get("anthropic")?.models.find(({ id }) => id === "claude-sonnet-4-5")
    expect(sonnet?.cost).toEqual(price)
    expect(sonnet?.reasoning).toBe(true)
  })

  it("knows the separate input limit of models that reserve output space", async () => {
    const catalogue = await loadCatalogue()
    const limitOf = (provider: string, id: string) => catalogue.get(provider)?.models.find((m) => m.id === id)?.limit
    expect(limitOf("openai", "gpt-5")).toEqual({ context: 400_000, input: 272_000, output: 128_000 })
    expect(limitOf("anthropic", "claude-sonnet-4-5")).not.toHaveProperty("input")
  })
})
