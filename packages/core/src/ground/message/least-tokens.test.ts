import type { LanguageModelV4Prompt } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { leastMessageTokens, leastTokens, leastToolTokens } from "./least-tokens.ts"

test("words and numbers count one each, signs at most one", () => {
  expect(leastTokens("The 3 quick foxes, jumped.")).toBe(5)
  expect(leastTokens("if (a.b === 12) return { c: d() }")).toBe(9)
  expect(leastTokens("")).toBe(0)
})

test("a long run of one character is few tokens, blanks are none", () => {
  expect(leastTokens("0".repeat(4_000))).toBe(250)
  expect(leastTokens(" \n".repeat(4_000))).toBe(0)
})

test("characters of every script count by their kind", () => {
  expect(leastTokens("привет, мир")).toBe(2)
  expect(leastTokens("你好 ١٢٣ x²")).toBe(4)
  expect(leastTokens("a\u00a0b\u2003c")).toBe(3)
  expect(leastTokens("ok 🙂 🙂🙂 \ud83d.")).toBe(3)
})

test("a request counts its system text, words, calls, outputs and tools", () => {
  const output = { type: "text" as const, value: "one two" }
  const call = { toolCallId: "a", toolName: "read" }
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: "be kind" },
    { role: "user", content: [{ type: "text", text: "look here now" }] },
    { role: "assistant", content: [{ type: "tool-call", ...call, input: { path: "a" } }] },
    { role: "tool", content: [{ type: "tool-result", ...call, output }] },
  ]
  const read = { type: "function", name: "read", description: "Reads files", inputSchema: { type: "object" } } as const
  const tokens = prompt.reduce((sum, message) => sum + leastMessageTokens(message), leastToolTokens([read]))
  expect(tokens).toBeGreaterThanOrEqual(2 + 3 + 2 + 2 + 4)
  expect(tokens).toBeLessThanOrEqual(20)
})
