import type { LanguageModelV4Prompt } from "@ai-sdk/provider"

/**
 * Marks for Anthropic's prompt cache on the system messages and the last two others: four points, the most
 * a request may have. The last one writes the cache that the next step reads.
 *
 * @param npm the AI SDK package that speaks to the provider; only Anthropic's takes marks, others are returned as they are
 */
export function applyCachePoints(messages: LanguageModelV4Prompt, npm: string): LanguageModelV4Prompt {
  if (npm !== "anthropic" && npm !== "@ai-sdk/anthropic") return messages
  const system = messages.filter(({ role }) => role === "system").slice(0, 2)
  const recent = messages.filter(({ role }) => role !== "system").slice(-2)
  const marked = new Set([...system, ...recent])
  return messages.map((message) => {
    if (!marked.has(message)) return message
    const anthropic = { ...message.providerOptions?.anthropic, cacheControl: { type: "ephemeral" } }
    return { ...message, providerOptions: { ...message.providerOptions, anthropic } }
  })
}
