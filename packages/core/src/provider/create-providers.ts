import type { LanguageModelV4 } from "@ai-sdk/provider"
import { didYouMean } from "../config/nearest-name.ts"
import type { Config } from "../config/schema.ts"
import { DocketError } from "../error.ts"
import type { ModelInfo, ModelRef, ProviderInfo } from "../schema/index.ts"
import { builtinProviders } from "./builtin-providers.ts"
import { type Catalogue, loadCatalogue } from "./catalogue.ts"
import { type Connection, connectProvider } from "./connection.ts"
import { createKeyStore } from "./key-store.ts"
import { createLanguageModel, type LanguageModelSettings } from "./language-model.ts"
import { knownLocalServers, type LocalServer, probeLocalServer } from "./local-servers.ts"
import { formatModelRef, parseModelRef } from "./model-ref.ts"
import { providerModels } from "./provider-models.ts"
import { rehearsalInfo, rehearsalProvider } from "./rehearsal-info.ts"

export interface ProvidersDeps {
  /** Holds auth.json. */
  dataDirectory: string
  env: Record<string, string | undefined>
  /** Servers to look for; those of knownLocalServers unless given. */
  localServers?: readonly LocalServer[]
  /** Milliseconds between two chunks of the rehearsal model; 15 unless given. */
  rehearsalDelay?: number
}

export interface ResolvedModel {
  info: ModelInfo
  model: LanguageModelV4
  /** The AI SDK package behind it: decides which provider options apply. */
  npm: string
}

/** Where models come from. `config` is that of the project at hand. */
export interface Providers {
  list(config: Config): Promise<ProviderInfo[]>
  /** @throws provider_not_found, model_not_found (both name what was meant), no_model_available (no key, or an unusable provider) */
  resolve(ref: ModelRef, config: Config): Promise<ResolvedModel>
  /** config.model, else the best model of the first connected provider, else the rehearsal model. @throws invalid_input */
  defaultModel(config: Config): Promise<ModelRef>
  /** A cheap model for titles: config.small_model, else one of the same provider, else `ref`. */
  smallModel(ref: ModelRef, config: Config): Promise<ModelRef>
  /** Saves a key, for the address that the provider had when it was last listed. @throws invalid_input, provider_not_found */
  saveKey(providerID: string, key: string): Promise<void>
  removeKey(providerID: string): Promise<void>
  /** Looks again for local servers. */
  refresh(): Promise<void>
}

/** Models that were made, so that a step costs no new SDK objects. */
const keptModels = 50

/** Makes models of settings and keeps them. */
function createModelCache() {
  const kept = new Map<string, Promise<LanguageModelV4>>()
  return (settings: LanguageModelSettings): Promise<LanguageModelV4> => {
    const key = JSON.stringify(settings)
    const known = kept.get(key)
    if (known) return known
    const made = createLanguageModel(settings)
    kept.set(key, made)
    made.catch(() => kept.delete(key))
    const oldest = kept.keys().next().value
    if (kept.size > keptModels && oldest !== undefined) kept.delete(oldest)
    return made
  }
}

function findMatch(models: readonly ModelInfo[], patterns: readonly RegExp[]): ModelInfo | undefined {
  for (const pattern of patterns) {
    const found = models.find(({ id, toolCall }) => toolCall && pattern.test(id))
    if (found) return found
  }
  return undefined
}

const refOf = ({ providerID, id }: ModelInfo): ModelRef => ({ providerID, modelID: id })

function toInfo(connection: Connection, models: ModelInfo[]): ProviderInfo {
  const { id, name, source, env, connected, baseURL, problem } = connection
  return { id, name, source, env, connected, baseURL, models, problem }
}

/** Reads keys, config and local servers; loads catalogue and SDKs only when one is asked for. */
export function createProviders(deps: ProvidersDeps): Providers {
  const keys = createKeyStore(deps)
  const servers = deps.localServers ?? knownLocalServers(deps.env)
  const modelOf = createModelCache()
  let catalogue: Promise<Catalogue> | null = null
  let rehearsal: Promise<LanguageModelV4> | null = null
  const probe = () => Promise.all(servers.map(probeLocalServer))
  let local = probe()
  /** Addresses that config set, by provider, as last seen. */
  const addresses = new Map<string, string | null>(builtinProviders.map(({ id }) => [id, null]))

  const loadedCatalogue = () => {
    catalogue ??= loadCatalogue()
    return catalogue
  }
  const localFor = async (config: Config) => (await local).filter(({ id }) => config.provider?.[id] === undefined)
  const remoteIDs = (config: Config) => {
    const configured = Object.keys(config.provider ?? {}).filter((id) => id !== rehearsalProvider.id)
    return [...new Set([...builtinProviders.map(({ id }) => id as string), ...configured])]
  }
  const remote = async (id: string, config: Config) => {
    const connection = await connectProvider({ env: deps.env, keys }, id, config)
    addresses.set(id, config.provider?.[id]?.options?.baseURL ?? null)
    return { connection, models: providerModels(await loadedCatalogue(), id, connection.npm, config) }
  }
  const list = async (config: Config): Promise<ProviderInfo[]> => {
    const found = await Promise.all(remoteIDs(config).map((id) => remote(id, config)))
    const infos = found.map(({ connection, models }) => toInfo(connection, models))
    return [...infos, ...(await localFor(config)), rehearsalProvider]
  }
  const resolveRehearsal = async (): Promise<LanguageModelV4> => {
    const { createRehearsalModel } = await import("./rehearsal/create-rehearsal-model.ts")
    return createRehearsalModel(deps.rehearsalDelay === undefined ? {} : { chunkDelay: deps.rehearsalDelay })
  }
  const resolveLocal = async (ref: ModelRef, config: Config): Promise<ResolvedModel | null> => {
    const known = (provider: ProviderInfo) => provider.id === ref.providerID
    if (!servers.some(({ id }) => id === ref.providerID) || config.provider?.[ref.providerID]) return null
    const isThere = (providers: ProviderInfo[]) =>
      providers.find(known)?.models.some(({ id }) => id === ref.modelID) ?? false
    // It may have been started since.
    if (!isThere(await local)) local = probe()
    const provider = (await local).find(known)
    if (!provider?.baseURL) return null
    if (!provider.connected) {
      const message =
        provider.problem ?? `${provider.name} does not answer at ${provider.baseURL}; start it and try again.`
      throw new DocketError("no_model_available", message)
    }
    const info = pickModel(ref, provider.name, provider.models, "")
    const npm = "@ai-sdk/openai-compatible"
    const { baseURL } = provider
    const model = await modelOf({ providerID: provider.id, npm, modelID: info.id, baseURL, apiKey: null, headers: {} })
    return { info, model, npm }
  }

  return {
    list,
    async resolve(ref, config) {
      if (ref.providerID === rehearsalProvider.id) {
        const info = pickModel(ref, rehearsalProvider.name, rehearsalProvider.models, "")
        rehearsal ??= resolveRehearsal()
        return { info, model: await rehearsal, npm: "docket" }
      }
      const found = await resolveLocal(ref, config)
      if (found) return found
      assertProvider(ref, [...remoteIDs(config), ...servers.map(({ id }) => id), rehearsalProvider.id])
      const { connection, models } = await remote(ref.providerID, config)
      const aliases = (await loadedCatalogue()).get(ref.providerID)?.aliases
      const alias = aliases?.get(ref.modelID)
      const wanted = alias && !models.some(({ id }) => id === ref.modelID) ? { ...ref, modelID: alias } : ref
      const hint = ` A model that Docket does not know yet can be added under provider.${ref.providerID}.models in docket.json.`
      const info = pickModel(wanted, connection.name, models, hint)
      const { npm, baseURL, apiKey, headers } = connection
      if (connection.problem !== null || baseURL === null) {
        throw new DocketError("no_model_available", connection.problem ?? `${connection.name} has no address.`)
      }
      const modelID = config.provider?.[ref.providerID]?.models?.[info.id]?.id ?? info.id
      const model = await modelOf({ providerID: ref.providerID, npm, modelID, baseURL, apiKey, headers })
      return { info, model, npm }
    },
    async defaultModel(config) {
      if (config.model !== undefined) return parseModelRef(config.model)
      for (const provider of await list(config)) {
        if (!provider.connected) continue
        const preferred = builtinProviders.find(({ id }) => id === provider.id)?.preferred ?? []
        const usable = provider.models.filter(({ toolCall }) => toolCall)
        const chosen = findMatch(usable, preferred) ?? usable[0]
        if (chosen) return refOf(chosen)
      }
      return refOf(rehearsalInfo)
    },
    async smallModel(ref, config) {
      if (config.small_model !== undefined) return parseModelRef(config.small_model)
      const builtin = builtinProviders.find(({ id }) => id === ref.providerID)
      // Behind another address only the models that it lists are sure to be there.
      if (!builtin || config.provider?.[ref.providerID]?.options?.baseURL) return ref
      const { models } = await remote(ref.providerID, config)
      const small = findMatch(models, builtin.small)
      return small ? refOf(small) : ref
    },
    async saveKey(providerID, key) {
      const trimmed = key.trim()
      if (trimmed === "" || /\s/.test(trimmed))
        throw new DocketError("invalid_input", "A key is one word without spaces.")
      assertProvider({ providerID, modelID: "*" }, [...addresses.keys()])
      await keys.save(providerID, { type: "api", key: trimmed, baseURL: addresses.get(providerID) ?? null })
    },
    removeKey: (providerID) => keys.remove(providerID),
    async refresh() {
      local = probe()
      await local
    },
  }
}

function assertProvider(ref: ModelRef, ids: readonly string[]): void {
  if (ids.includes(ref.providerID)) return
  const message = `There is no provider "${ref.providerID}".${didYouMean(ref.providerID, ids)} Known: ${ids.join(", ")}. Others are added under "provider" in docket.json.`
  throw new DocketError("provider_not_found", message)
}

function pickModel(ref: ModelRef, provider: string, models: readonly ModelInfo[], hint: string): ModelInfo {
  const found = models.find(({ id }) => id === ref.modelID)
  if (found) return found
  const ids = models.map(({ id }) => id)
  const near = didYouMean(ref.modelID, ids)
  const listed =
    near === "" && ids.length > 0 ? ` It has ${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}.` : near
  throw new DocketError(
    "model_not_found",
    `${provider} has no model "${ref.modelID}" (${formatModelRef(ref)}).${listed}${hint}`,
  )
}
