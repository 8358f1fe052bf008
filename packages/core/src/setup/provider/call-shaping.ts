import type { Config } from "../config/schema.ts"
import { type ReasoningTag, reasoningTag } from "./reasoning-tag.ts"

type ProviderConfig = NonNullable<Config["provider"]>[string]
type SettingsConfig = NonNullable<ProviderConfig["settings"]>

/** What is laid around a model's calls. Plain data: equal shaping of equal models gives the same model. */
export interface CallShaping {
  /** How the model writes its thoughts into its text; null when it does not. */
  reasoning: ReasoningTag | null
  /** What a call is told where it says nothing itself, in the words of docket.json. */
  settings: SettingsConfig
  /** Names of the user's own middlewares, the outermost first. */
  middleware: readonly string[]
}

/** The shaping of one model: what its own entry says, else its provider's, else what such models are known to need. */
export function callShaping(
  provider: ProviderConfig | undefined,
  model: { id: string; served: string; npm: string; baseURL: string | null },
): CallShaping {
  const own = provider?.models?.[model.id]
  return {
    reasoning: reasoningTag(own?.reasoning_tag ?? provider?.reasoning_tag, model),
    settings: { ...provider?.settings, ...own?.settings },
    middleware: own?.middleware ?? provider?.middleware ?? [],
  }
}
