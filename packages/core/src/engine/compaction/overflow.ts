import type { ModelInfo, TokenUsage } from "../../ground/schema/index.ts"
import { maxOutputTokens } from "../../setup/provider/model-choice.ts"

/** Limits of a model in tokens; 0 where unknown. */
export type ModelLimit = ModelInfo["limit"]

/** Most tokens that stay free below a limit for input only. */
const inputBuffer = 20_000

/** Estimated UTF-16 units per token, for text and code. */
export const unitsPerToken = 4

/**
 * Tokens that a conversation may have before it is compacted: the model's input limit less a buffer, else its context
 * less the space for an answer. Null for a model with unknown limits.
 */
export function usableTokens(limit: ModelLimit): number | null {
  const room = Math.min(limit.output > 0 ? limit.output : maxOutputTokens, maxOutputTokens)
  if (limit.input) return Math.max(limit.input - Math.min(inputBuffer, room), limit.input / 2)
  if (limit.context === 0) return null
  // At least half, because a model whose context is smaller than the buffer would otherwise compact forever.
  return Math.max(limit.context - room, limit.context / 2)
}

/**
 * Whether the next step could exceed the context: the step's input, cached and output tokens plus what its tools added
 * (`added`, UTF-16 units) reach the usable tokens. Always false for a model with unknown limits.
 */
export function isOverflow(usage: TokenUsage, limit: ModelLimit, added = 0): boolean {
  const usable = usableTokens(limit)
  if (usable === null) return false
  const used = usage.input + usage.cache.read + usage.cache.write + usage.output
  return used + added / unitsPerToken >= usable
}
