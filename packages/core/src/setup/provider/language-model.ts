import type { LanguageModelV4 } from "@ai-sdk/provider"
import { DocketError } from "../../ground/error/docket-error.ts"

export interface LanguageModelSettings {
  providerID: string
  /** The AI SDK package for the provider's protocol. */
  npm: string
  /** The model's name at the provider. */
  modelID: string
  baseURL: string
  /** Null for servers without a key. */
  apiKey: string | null
  headers: Record<string, string>
  /** Other settings from docket.json. */
  options?: Record<string, unknown>
}

/** Sent when an SDK requires a key but the server does not. */
const noKey = "none"

/** Loads the required SDK on first use and creates the model. Makes no network call. Its requests go through `fetch`. */
export async function createLanguageModel(
  settings: LanguageModelSettings,
  fetch?: typeof globalThis.fetch,
): Promise<LanguageModelV4> {
  const { npm, modelID, baseURL, headers, options } = settings
  const apiKey = settings.apiKey ?? noKey
  const sent = fetch && { fetch }
  switch (npm) {
    case "@ai-sdk/anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic")
      return createAnthropic({ ...options, baseURL, apiKey, headers, ...sent })(modelID)
    }
    case "@ai-sdk/openai": {
      const { createOpenAI } = await import("@ai-sdk/openai")
      return createOpenAI({ ...options, baseURL, apiKey, headers, ...sent })(modelID)
    }
    case "@ai-sdk/google": {
      const { createGoogle } = await import("@ai-sdk/google")
      return createGoogle({ ...options, baseURL, apiKey, headers, ...sent })(modelID)
    }
    case "@ai-sdk/openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      const key = settings.apiKey === null ? {} : { apiKey: settings.apiKey }
      return createOpenAICompatible({
        includeUsage: true,
        ...options,
        name: settings.providerID,
        baseURL,
        headers,
        ...key,
        ...sent,
      })(modelID)
    }
    default:
      throw new DocketError("model_not_found", `The package "${npm}" cannot run a model here.`)
  }
}
