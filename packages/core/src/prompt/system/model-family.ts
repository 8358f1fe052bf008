export type ModelFamily = "claude" | "gpt" | "gemini" | "other"

/** Which prompt suits a model, by its id; a gateway's prefix (`anthropic/claude-…`) does not matter. */
export function modelFamily(modelID: string): ModelFamily {
  const id = modelID.toLowerCase()
  if (id.includes("claude")) return "claude"
  if (/(?:^|[/:.-])(?:gpt|chatgpt|codex|o[134])(?:[/:.-]|$)/.test(id)) return "gpt"
  if (id.includes("gemini")) return "gemini"
  return "other"
}
