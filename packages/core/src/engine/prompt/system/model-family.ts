/**
 * Models that are told how to work in the same way: Claude; GPT that reasons by itself (GPT-5 and later, Codex); GPT
 * before it (GPT-4, o-series, open weights); Gemini; all others.
 */
export type ModelFamily = "claude" | "gpt" | "gpt-early" | "gemini" | "other"

/** Where a word of an id begins and ends: `openai/gpt-6-sol`, `o3-mini`. */
const gptPattern = /(?:^|[/:.-])(?:gpt|chatgpt|codex|o[134])(?:[/:.-]|$)/
const reasoningGptPattern = /codex|gpt-(?:[5-9]|\d\d)(?!\d)(?!.*-chat)/

/** Which prompt suits a model, by its id; a gateway's prefix (`anthropic/claude-…`) does not matter. */
export function modelFamily(modelID: string): ModelFamily {
  const id = modelID.toLowerCase()
  if (id.includes("claude")) return "claude"
  if (gptPattern.test(id)) return reasoningGptPattern.test(id) ? "gpt" : "gpt-early"
  if (id.includes("gemini")) return "gemini"
  return "other"
}
