import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider"
import type { CallShaping } from "./call-shaping.ts"
import type { LoadMiddleware } from "./own-middleware.ts"

/** A model of any specification that the AI SDK still speaks. */
export type AnyLanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

type CallSettings = Parameters<typeof import("ai").defaultSettingsMiddleware>[0]["settings"]

/**
 * The model with its shaping around it, in the specification that the loop speaks. One that needs neither is returned as
 * it is: `ai` takes some 35 ms and 7 MB to load, so it is loaded for those that do.
 * @throws config_invalid when a middleware cannot be used
 */
export async function shapeModel(
  model: AnyLanguageModel,
  { reasoning, settings, middleware }: CallShaping,
  loadMiddleware: LoadMiddleware,
): Promise<LanguageModelV4> {
  const own = await Promise.all(middleware.map(loadMiddleware))
  const defaults = callSettings(settings)
  const bare = reasoning === null && own.length === 0 && Object.keys(defaults).length === 0
  if (bare && model.specificationVersion === "v4") return model
  const { wrapLanguageModel, defaultSettingsMiddleware, extractReasoningMiddleware } = await import("ai")
  // It would tell the terminal of every model of an older specification.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return wrapLanguageModel({
    model,
    // The first sees the call first. Own ones get what docket.json sets, and thoughts apart from text.
    middleware: [
      ...(Object.keys(defaults).length > 0 ? [defaultSettingsMiddleware({ settings: defaults })] : []),
      ...own,
      ...(reasoning === null
        ? []
        : [extractReasoningMiddleware({ tagName: reasoning.tag, startWithReasoning: reasoning.beginsInside })]),
    ],
  })
}

/** In the AI SDK's words. Names that are not set stay away, so that they replace nothing. */
function callSettings(settings: CallShaping["settings"]): CallSettings {
  const named = {
    temperature: settings.temperature,
    topP: settings.top_p,
    topK: settings.top_k,
    maxOutputTokens: settings.max_output_tokens,
    presencePenalty: settings.presence_penalty,
    frequencyPenalty: settings.frequency_penalty,
    seed: settings.seed,
    stopSequences: settings.stop,
  }
  // Every name of the result is one of `CallSettings`.
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) as CallSettings
}
