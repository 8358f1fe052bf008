import type { LanguageModelV4 } from "@ai-sdk/provider"
import { DocketError } from "../../ground/error/docket-error.ts"

export interface LanguageModelSettings {
  providerID: string
  /** AI SDK package that speaks the provider's protocol. */
  npm: string
  /** The provider's own name of the model. */
  modelID: string
  baseURL: string
  /** Null for servers that need none. */
  apiKey: string | null
  headers: Record<string, string>
  /** Whatever else docket.json sets. */
  options?: Record<string, unknown>
}

/** Sent where an SDK insists on a key and the server wants none. */
const noKey = "none"

/** Loads the one SDK that is needed, on first use, and makes the model. Calls no network. */
export async function createLanguageModel(settings: LanguageModelSettings): Promise<LanguageModelV4> {
  const { npm, modelID, baseURL, headers, options } = settings
  const apiKey = settings.apiKey ?? noKey
  switch (npm) {
    case "@ai-sdk/anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic")
      return createAnthropic({ ...options, baseURL, apiKey, headers })(modelID)
    }
    case "@ai-sdk/openai": {
      const { createOpenAI } = await import("@ai-sdk/openai")
      return createOpenAI({ ...options, baseURL, apiKey, headers })(modelID)
    }
    case "@ai-sdk/google": {
      const { createGoogle } = await import("@ai-sdk/google")
      return createGoogle({ ...options, baseURL, apiKey, headers })(modelID)
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
      })(modelID)
    }
    default:
      throw new DocketError("model_not_found", `The package "${npm}" cannot run a model here.`)
  }
}
