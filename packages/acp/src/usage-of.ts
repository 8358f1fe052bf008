import type { TokenUsage } from "@docket/core/schema"
import { z } from "zod"

const Count = z.number().int().nonnegative().nullish().catch(null)

const Usage = z.object({
  inputTokens: Count,
  outputTokens: Count,
  thoughtTokens: Count,
  cachedReadTokens: Count,
  cachedWriteTokens: Count,
})

/** The tokens of an answer; null where the agent does not tell. */
export function usageOf(usage: unknown): TokenUsage | null {
  const { data } = Usage.safeParse(usage)
  if (data === undefined) return null
  return {
    input: data.inputTokens ?? 0,
    output: data.outputTokens ?? 0,
    reasoning: data.thoughtTokens ?? 0,
    cache: { read: data.cachedReadTokens ?? 0, write: data.cachedWriteTokens ?? 0 },
  }
}
