import type { ModelInfo, TokenUsage } from "../../ground/schema/index.ts"
import { maxOutputTokens } from "../../setup/provider/model-choice.ts"

/** Limits of a model in tokens; 0 where one is unknown. */
export type ModelLimit = ModelInfo["limit"]

/** What stays free below a limit of the input alone, at most (tokens). */
const inputBuffer = 20_000

/** An estimate for text and code (UTF-16 units per token). */
export const unitsPerToken = 4

/**
 * Tokens that a conversation may have before room is made: the model's input limit less a buffer, else its context
 * less the room for an answer. Null for a model of which neither is known.
 */
export function usableTokens(limit: ModelLimit): number | null {
  const room = Math.min(limit.output > 0 ? limit.output : maxOutputTokens, maxOutputTokens)
  if (limit.input) return Math.max(limit.input - Math.min(inputBuffer, room), limit.input / 2)
  if (limit.context === 0) return null
  // A model whose whole context is smaller than the room would compact for ever.
  return Math.max(limit.context - room, limit.context / 2)
}

/**
 * Whether the next step could exceed what the model reads: the step's input, cached and output tokens, and what its
 * tools brought (`added`, UTF-16 units), reach the usable tokens. Never for a model whose limits are unknown.
 */
export function isOverflow(usage: TokenUsage, limit: ModelLimit, added = 0): boolean {
  const usable = usableTokens(limit)
  if (usable === null) return false
  const used = usage.input + usage.cache.read + usage.cache.write + usage.output
  return used + added / unitsPerToken >= usable
}
