import { isLoopbackURL } from "../config/loopback.ts"
import type { Config } from "../config/schema.ts"

/** Thoughts stand between `<tag>` and `</tag>` in the model's text. */
export interface ReasoningTag {
  tag: string
  /** The opening tag stands in the model's prompt already: the answer begins with thoughts. */
  beginsInside: boolean
}

type TagConfig = NonNullable<Config["provider"]>[string]["reasoning_tag"]

const think = "think"

/**
 * Families whose models write `<think>` unless their server takes it out (their model cards, November 2026; the last are
 * distillations and fine-tunes of the first).
 */
const writers =
  /deepseek-r1|qwq|qwen-?3|glm-(?:4\.[1-9]|z1)|minimax-m\d|phi-4(?:-mini)?-reasoning|sonar-reasoning|exaone-deep|smollm3|openthinker|r1-distill|-thinking(?:$|[-:@])/i

/** What config says, else what is known: of the family, and of servers on this machine, which mostly pass text through. */
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
  // These three send thoughts apart from the text.
  if (npm === "@ai-sdk/anthropic" || npm === "@ai-sdk/openai" || npm === "@ai-sdk/google") return false
  return writers.test(served) || (npm === "@ai-sdk/openai-compatible" && baseURL !== null && isLoopbackURL(baseURL))
}
