import { expect, test } from "vitest"
import { keptTools } from "./kept-tools.ts"

function kept(tools: object[]) {
  const lines: string[] = []
  return { names: keptTools(tools, { add: (line) => lines.push(line) }).map(({ name }) => name), lines }
}

test("the first 500 tools are kept, and the log says so", () => {
  const { names, lines } = kept(Array.from({ length: 520 }, (_, at) => ({ name: `t${at}`, inputSchema: {} })))
  expect(names).toHaveLength(500)
  expect(names.at(-1)).toBe("t499")
  expect(lines).toEqual([expect.stringContaining("20 of its tools are left out")])
})

test("tools are kept up to 4,000,000 characters", () => {
  const inputSchema = { properties: { a: { description: "x".repeat(60_000) } } }
  const { names, lines } = kept(Array.from({ length: 100 }, (_, at) => ({ name: `t${at}`, inputSchema })))
  expect(names).toHaveLength(66)
  expect(lines).toEqual([expect.stringContaining("34 of its tools are left out")])
})
