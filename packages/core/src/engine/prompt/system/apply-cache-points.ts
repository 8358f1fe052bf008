import type { LanguageModelV4Prompt } from "@ai-sdk/provider"

/**
 * Marks for Anthropic's prompt cache on the system messages and the last two others: four points, the most
 * a request may have. The last one writes the cache that the next step reads.
 *
 * @param npm the AI SDK package that speaks to the provider; only Anthropic's takes marks, others are returned as they are
 */
export function applyCachePoints(messages: LanguageModelV4Prompt, npm: string): LanguageModelV4Prompt {
  if (npm !== "anthropic" && npm !== "@ai-sdk/anthropic") return messages
  const marked = messages.slice()
  const mark = (index: number) => {
    const message = marked[index]
    if (message === undefined) return
    const anthropic = { ...message.providerOptions?.anthropic, cacheControl: { type: "ephemeral" } }
    marked[index] = { ...message, providerOptions: { ...message.providerOptions, anthropic } }
  }
  const spoken = messages.findIndex(({ role }) => role !== "system")
  const first = spoken < 0 ? messages.length : spoken
  for (let index = 0; index < Math.min(2, first); index++) mark(index)
  for (let index = Math.max(first, messages.length - 2); index < messages.length; index++) mark(index)
  return marked
}
