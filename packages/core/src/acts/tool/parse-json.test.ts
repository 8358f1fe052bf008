import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { maxNesting, nesting, parseJson } from "./parse-json.ts"

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

it("nesting counts brackets outside strings", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => nesting(JSON.stringify(value)) === depthOf(value)),
    drawn(),
  )
  expect(nesting('{"a":"[[[\\"[","b":[]}')).toBe(2)
})

it("invalid or too deeply nested JSON gives no value", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels)
  expect(parseJson("{ not")).toBeUndefined()
  expect(parseJson(nested(maxNesting))).toBeDefined()
  expect(parseJson(nested(maxNesting + 1))).toBeUndefined()
})
