import { expect, test } from "vitest"
import type { Tool } from "../../../acts/tool/tool.ts"
import { sourceTexts } from "./source-texts.ts"

function tool(name: string, about: string | undefined, fields: Partial<Tool> = {}): Tool {
  const origin = { kind: "mcp", name, tool: "t", ...(about !== undefined && { about }) } as const
  const parameters = { jsonSchema: {}, parse: () => ({ args: {} }) }
  const execute = async () => ({ title: "", output: "", metadata: {} })
  return { id: name, description: "", parameters, permission: name, parallel: true, origin, execute, ...fields }
}

test("what a source says is told once, cut at 2,000 characters", () => {
  const text = sourceTexts([tool("crm", "x".repeat(5_000)), tool("crm", "x".repeat(5_000)), tool("quiet", undefined)])
  expect(text?.match(/<tools-of/g)).toHaveLength(1)
  expect(text?.match(/x{100,}/)?.[0]).toHaveLength(2_000)
})

test("deferred tools and those without a text add nothing", () => {
  expect(sourceTexts([tool("crm", "We sell.", { isDeferred: true }), tool("quiet", undefined)])).toBeNull()
})
