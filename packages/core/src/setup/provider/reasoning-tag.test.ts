import { expect, it } from "vitest"
import { reasoningTag } from "./reasoning-tag.ts"

const compatible = "@ai-sdk/openai-compatible"
const remote = "https://models.example/v1"
const local = "http://127.0.0.1:8000/v1"
const think = { tag: "think", beginsInside: false }

it.each([
  ["deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", compatible, remote],
  ["Qwen/QwQ-32B", compatible, remote],
  ["qwen3:8b", compatible, remote],
  ["kimi-k2-thinking", compatible, remote],
  ["sonar-reasoning-pro", "@ai-sdk/perplexity", null],
  ["any-model", compatible, local],
])("reasoning is found in the text of %s by %s at %s", (served, npm, baseURL) => {
  expect(reasoningTag(undefined, { served, npm, baseURL })).toEqual(think)
})

it.each([
  ["any-model", compatible, remote],
  ["llama-3.3-70b", "@ai-sdk/groq", null],
  ["qwen3:8b", "@ai-sdk/openai", local],
  ["claude-sonnet-5", "@ai-sdk/anthropic", local],
])("no reasoning is looked for in %s by %s at %s", (served, npm, baseURL) => {
  expect(reasoningTag(undefined, { served, npm, baseURL })).toBeNull()
})

it("a configured reasoning tag overrides what is known of the model", () => {
  const known = { served: "qwen3:8b", npm: compatible, baseURL: local }
  expect(reasoningTag(false, known)).toBeNull()
  expect(reasoningTag(true, { served: "x", npm: "@ai-sdk/openai", baseURL: remote })).toEqual(think)
  expect(reasoningTag({ begins_inside: true }, known)).toEqual({ tag: "think", beginsInside: true })
})
