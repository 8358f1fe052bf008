import type { TokenUsage } from "../schema/index.ts"

/** Our own ceiling where a model allows more: longer answers are rare and cost context. */
export const maxOutputTokens = 32_000

/**
 * Whether the next step could exceed the context: the step's input, cached and output tokens reach the
 * context limit less the room for an answer. Never for a model whose limit is unknown (0).
 */
export function isOverflow(usage: TokenUsage, limit: { context: number; output: number }): boolean {
  if (limit.context === 0) return false
  const room = Math.min(limit.output > 0 ? limit.output : maxOutputTokens, maxOutputTokens)
  const used = usage.input + usage.cache.read + usage.cache.write + usage.output
  // A model whose whole context is smaller than the room would compact for ever.
  return used >= Math.max(limit.context - room, limit.context / 2)
}
