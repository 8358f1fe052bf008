import type { LanguageModelV4FinishReason } from "@ai-sdk/provider"

/** Null for a stream that was cut: OpenAI-compatible providers report an early end as "other" without a raw reason. */
export function finishOf({ unified, raw }: LanguageModelV4FinishReason): string | null {
  return unified === "other" && raw === undefined ? null : unified
}
