import type { LanguageModelV4 } from "@ai-sdk/provider"

/** Models that are kept, so that a step makes no new SDK objects. */
const keptModels = 50

/** Makes models of settings, which are plain data; the same settings give the same model. */
export function createModelCache<Settings>(
  make: (settings: Settings) => Promise<LanguageModelV4>,
): (settings: Settings) => Promise<LanguageModelV4> {
  const kept = new Map<string, Promise<LanguageModelV4>>()
  return (settings) => {
    const key = JSON.stringify(settings)
    const known = kept.get(key)
    if (known) return known
    const made = make(settings)
    kept.set(key, made)
    made.catch(() => kept.delete(key))
    const oldest = kept.keys().next().value
    if (kept.size > keptModels && oldest !== undefined) kept.delete(oldest)
    return made
  }
}
