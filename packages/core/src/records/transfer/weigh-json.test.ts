import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { isTooRich, type JsonLimits } from "./weigh-json.ts"

const small: JsonLimits = { containers: 10, members: 20, depth: 4 }
const of = (text: string, limits?: JsonLimits) => isTooRich(new TextEncoder().encode(text), limits)

it("files full of brackets or commas are too rich, in any layout", () => {
  expect(of("[".repeat(5), small)).toBe(true)
  expect(of(`[${"{},".repeat(10)}0]`, small)).toBe(true)
  expect(of("{}\n".repeat(11), small)).toBe(true)
  expect(of(`[${"1,".repeat(21)}1]`, small)).toBe(true)
  expect(of("[".repeat(1_001))).toBe(true)
})

it("counts nothing within strings, whatever is escaped in them", () => {
  expect(of(JSON.stringify({ a: '[[[[[{{{{{,,,,,,,,,,,,,,,,,,,,,,"\\[[[[[[', b: '\\\\"{{{{{{{{{{{{' }), small)).toBe(
    false,
  )
  expect(of('"[[[[[[[[[[', small)).toBe(false)
})

it("counts containers and depth as a parser does", () => {
  const count = (value: unknown): { containers: number; depth: number } => {
    if (typeof value !== "object" || value === null) return { containers: 0, depth: 0 }
    const inner = Object.values(value).map(count)
    return {
      containers: inner.reduce((sum, { containers }) => sum + containers, 1),
      depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    }
  }
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const { containers, depth } = count(value)
      const text = JSON.stringify(value)
      const limits = { containers, depth, members: Number.POSITIVE_INFINITY }
      expect(of(text, limits)).toBe(false)
      if (containers > 0) expect(of(text, { ...limits, containers: containers - 1 })).toBe(true)
      if (depth > 0) expect(of(text, { ...limits, depth: depth - 1 })).toBe(true)
    }),
    drawn(),
  )
})
