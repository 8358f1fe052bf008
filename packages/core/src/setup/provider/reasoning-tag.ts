import { isLoopbackURL } from "../config/loopback.ts"
import type { Config } from "../config/schema.ts"

/** The model puts its thinking between `<tag>` and `</tag>` in its text. */
export interface ReasoningTag {
  tag: string
  /** The prompt already contains the opening tag, so the answer begins with thinking. */
  beginsInside: boolean
}

type TagConfig = NonNullable<Config["provider"]>[string]["reasoning_tag"]

const think = "think"

/**
 * Model families that write `<think>` unless their server removes it (their model cards, November 2026; the last ones
 * are distillations and fine-tunes of the first).
 */
const writers =
  /deepseek-r1|qwq|qwen-?3|glm-(?:4\.[1-9]|z1)|minimax-m\d|phi-4(?:-mini)?-reasoning|sonar-reasoning|exaone-deep|smollm3|openthinker|r1-distill|-thinking(?:$|[-:@])/i

/**
 * The configured tag, or else the known one: by model family, and for local servers, which mostly pass the text on
 * unchanged. `served` is the id by which the provider knows the model.
 */
export function reasoningTag(
  configured: TagConfig,
  { served, npm, baseURL }: { served: string; npm: string; baseURL: string | null },
): ReasoningTag | null {
  if (configured === false) return null
  if (configured === true) return { tag: think, beginsInside: false }
  if (typeof configured === "string") return { tag: configured, beginsInside: false }
  if (configured) return { tag: configured.tag ?? think, beginsInside: configured.begins_inside ?? false }
  return writesThoughts(served, npm, baseURL) ? { tag: think, beginsInside: false } : null
}

function writesThoughts(served: string, npm: string, baseURL: string | null): boolean {
  // These three send thinking separately from the text.
  if (npm === "@ai-sdk/anthropic" || npm === "@ai-sdk/openai" || npm === "@ai-sdk/google") return false
  return writers.test(served) || (npm === "@ai-sdk/openai-compatible" && baseURL !== null && isLoopbackURL(baseURL))
}
