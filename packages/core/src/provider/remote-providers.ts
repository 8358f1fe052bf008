import type { Config } from "../config/schema.ts"
import { DocketError } from "../error/docket-error.ts"
import type { ModelInfo, ModelRef, ProviderInfo } from "../schema/index.ts"
import { builtinProviders } from "./builtin-providers.ts"
import { type CallShaping, callShaping } from "./call-shaping.ts"
import { type Catalogue, loadCatalogue } from "./catalogue.ts"
import { type Connection, connectProvider } from "./connection.ts"
import type { KeyStore } from "./key-store.ts"
import type { LanguageModelSettings } from "./language-model.ts"
import { findModel } from "./model-choice.ts"
import { type OptionSets, optionSets } from "./option-sets.ts"
import { providerModels } from "./provider-models.ts"
import { rehearsalProvider } from "./rehearsal-info.ts"

/** Everything that a model is made of. */
export interface ModelSettings extends LanguageModelSettings {
  shaping: CallShaping
}

/** A model with what it is called with. */
export interface FoundModel extends OptionSets {
  info: ModelInfo
  settings: ModelSettings
}

export interface RemoteProviders {
  /** Built-in providers in their order of priority, then those of config. */
  ids(config: Config): string[]
  list(config: Config): Promise<ProviderInfo[]>
  models(providerID: string, config: Config): Promise<ModelInfo[]>
  /** @throws model_not_found, no_model_available */
  find(ref: ModelRef, config: Config): Promise<FoundModel>
  /** Addresses that config set, by provider, as last seen. */
  addresses: ReadonlyMap<string, string | null>
}

function toInfo(connection: Connection, models: ModelInfo[]): ProviderInfo {
  const { id, name, source, env, connected, baseURL, problem } = connection
  return { id, name, source, env, connected, baseURL, models, problem }
}

/** Providers that need a key or an address: those that ship with Docket and those of docket.json. */
export function createRemoteProviders(deps: {
  env: Record<string, string | undefined>
  keys: KeyStore
}): RemoteProviders {
  const addresses = new Map<string, string | null>(builtinProviders.map(({ id }) => [id, null]))
  let catalogue: Promise<Catalogue> | null = null
  const loadedCatalogue = () => {
    catalogue ??= loadCatalogue()
    return catalogue
  }
  const open = async (id: string, config: Config) => {
    const connection = await connectProvider(deps, id, config)
    addresses.set(id, config.provider?.[id]?.options?.baseURL ?? null)
    return { connection, models: providerModels(await loadedCatalogue(), id, connection.npm, config) }
  }
  const ids = (config: Config) => {
    const configured = Object.keys(config.provider ?? {}).filter((id) => id !== rehearsalProvider.id)
    return [...new Set<string>([...builtinProviders.map(({ id }) => id), ...configured])]
  }
  return {
    ids,
    addresses,
    list: (config) =>
      Promise.all(
        ids(config).map(async (id) => {
          const { connection, models } = await open(id, config)
          return toInfo(connection, models)
        }),
      ),
    models: async (id, config) => (await open(id, config)).models,
    async find(ref, config) {
      const { connection, models } = await open(ref.providerID, config)
      const { name, npm, baseURL, apiKey, headers, problem } = connection
      const aliases = (await loadedCatalogue()).get(ref.providerID)?.aliases
      const listed = models.some(({ id }) => id === ref.modelID)
      const modelID = listed ? ref.modelID : (aliases?.get(ref.modelID) ?? ref.modelID)
      const hint = ` A model that Docket does not know yet can be added under provider.${ref.providerID}.models in docket.json.`
      const info = findModel({ ...ref, modelID }, name, models, hint)
      if (problem !== null || baseURL === null) {
        throw new DocketError("no_model_available", problem ?? `${name} has no address; set options.baseURL.`)
      }
      const served = config.provider?.[ref.providerID]?.models?.[info.id]?.id ?? info.id
      const shaping = callShaping(config.provider?.[ref.providerID], { id: info.id, served, npm, baseURL })
      const settings = { providerID: ref.providerID, npm, modelID: served, baseURL, apiKey, headers, shaping }
      return { info, settings, ...optionSets(await loadedCatalogue(), npm, info, config) }
    },
  }
}
