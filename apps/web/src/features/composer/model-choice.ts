import type { ModelInfo, ModelRef, ProviderInfo } from "@docket/core/schema"

export interface ModelGroup {
  providerID: string
  name: string
  models: ModelInfo[]
}

/** Models of connected providers, by provider, whose names or ids contain every word of `search`. */
export function modelGroups(providers: ProviderInfo[], search: string): ModelGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return providers
    .filter((provider) => provider.connected)
    .map((provider) => ({
      providerID: provider.id,
      name: provider.name,
      models: provider.models.filter((model) => {
        const text = `${provider.name} ${model.name} ${model.id}`.toLowerCase()
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter((group) => group.models.length > 0)
}

/** The model info for `ref`; null when its provider or model is gone. */
export function findModel(providers: ProviderInfo[], ref: ModelRef | null | undefined): ModelInfo | null {
  if (!ref) return null
  const provider = providers.find((candidate) => candidate.id === ref.providerID)
  return provider?.models.find((model) => model.id === ref.modelID) ?? null
}

/** One string for a list's `value`. Provider ids contain no slash, model ids may. */
export const modelKey = (ref: ModelRef): string => `${ref.providerID}/${ref.modelID}`

export function parseModelKey(key: string): ModelRef {
  const slash = key.indexOf("/")
  return { providerID: key.slice(0, slash), modelID: key.slice(slash + 1) }
}
