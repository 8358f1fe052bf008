import type { TokenUsage } from "@docket/core/schema"

/** Every token of a usage record, cached ones included. */
export function totalTokens(usage: TokenUsage): number {
  return usage.input + usage.output + usage.reasoning + usage.cache.read + usage.cache.write
}
