import { DocketError } from "../../ground/error/docket-error.ts"
import type { ModelInfo, ModelRef, ProviderInfo } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { builtinProviders } from "./builtin-providers.ts"
import { canWork, modelOfFacts } from "./catalogue/model-of-facts.ts"
import { type Catalogue, loadCatalogue } from "./catalogue/own-catalogue.ts"
import type { WideCatalogue, WideProvider } from "./catalogue/wide-catalogue.ts"
import { type Connection, type ConnectionDeps, connectProvider } from "./connection.ts"
import type { LanguageModelSettings } from "./language-model.ts"
import { findModel } from "./model-choice.ts"
import { type OptionSets, optionSets } from "./option-sets.ts"
import type { PackagedModelSettings } from "./package/packaged-model.ts"
import type { PluggedOptions, PluggedProviders, ProviderAccount } from "./plugged-providers.ts"
import { rehearsalProvider } from "./rehearsal-info.ts"
import { type CallShaping, callShaping } from "./shape-model.ts"

/** All settings of a model, from a package that ships with Docket or an installed one. */
export type ModelSettings = {
  shaping: CallShaping
  /** The sign-in through whose plugin requests go; null when they do not. */
  account: ProviderAccount | null
} & ((LanguageModelSettings & { package: null }) | (PackagedModelSettings & { npm: string }))

/** A model with its call options. */
export interface FoundModel extends OptionSets {
  info: ModelInfo
  settings: ModelSettings
}

interface RemoteProviders {
  /** Built-in providers by priority, then those of the config. */
  ids(config: Config): Promise<string[]>
  list(config: Config): Promise<ProviderInfo[]>
  models(providerID: string, config: Config): Promise<ModelInfo[]>
  /** @throws model_not_found, no_model_available */
  find(ref: ModelRef, config: Config): Promise<FoundModel>
}

function toInfo(connection: Connection, models: ModelInfo[]): ProviderInfo {
  const { id, name, source, env, connected, baseURL, problem, lacks, missingPackage } = connection
  return { id, name, source, env, connected, baseURL, models, problem, lacks, missingPackage }
}

/** Key, address and headers; those of docket.json come before those of a plugin. */
function accessSettings(connection: Connection, plugged: PluggedOptions | null) {
  const { name, package: installed } = connection
  const apiKey = connection.apiKey ?? plugged?.apiKey ?? null
  const headers = { ...plugged?.headers, ...connection.headers }
  const options = { ...plugged?.options, ...connection.options }
  const baseURL = connection.isOwnAddress ? (plugged?.baseURL ?? connection.baseURL) : connection.baseURL
  if (installed !== null) return { package: installed, baseURL, apiKey, headers, options }
  if (baseURL === null) throw new DocketError("no_model_available", `${name} has no address; set options.baseURL.`)
  return { package: null, baseURL, apiKey, headers, options }
}

/** Providers that need a key or an address: Docket's own and those of docket.json. */
export function createRemoteProviders(
  deps: ConnectionDeps & { wide: WideCatalogue; plugged: PluggedProviders },
): RemoteProviders {
  let catalogue: Promise<Catalogue> | null = null
  const loadedCatalogue = () => {
    catalogue ??= loadCatalogue()
    return catalogue
  }
  const open = async (id: string, config: Config) => {
    const plugged = (await deps.plugged.list()).find((one) => one.id === id) ?? null
    const connection = await connectProvider(deps, { id, config, plugged })
    const known = { own: await loadedCatalogue(), wide: await deps.wide.provider(id) }
    const listed = providerModels(known, { id, npm: connection.npm }, config)
    if (plugged === null) return { connection, models: listed }
    const models = await deps.plugged.models(id, { name: connection.name, models: listed })
    return {
      connection,
      models: models.map((info) => ({ ...info, variants: variantsOf(known, connection, info, config) })),
    }
  }
  const ids = async (config: Config) => {
    const configured = Object.keys(config.provider ?? {})
    const plugged = (await deps.plugged.list()).map(({ id }) => id)
    const all = new Set<string>([...builtinProviders.map(({ id }) => id), ...configured, ...plugged])
    all.delete(rehearsalProvider.id)
    return [...all]
  }
  return {
    ids,
    list: async (config) =>
      Promise.all(
        (await ids(config)).map(async (id) => {
          const { connection, models } = await open(id, config)
          return toInfo(connection, models)
        }),
      ),
    models: async (id, config) => (await open(id, config)).models,
    async find(ref, config) {
      const { connection, models } = await open(ref.providerID, config)
      const { name, npm, problem, missingPackage } = connection
      const aliases = (await loadedCatalogue()).get(ref.providerID)?.aliases
      const listed = models.some(({ id }) => id === ref.modelID)
      const modelID = listed ? ref.modelID : (aliases?.get(ref.modelID) ?? ref.modelID)
      const hint = ` A model that Docket does not know yet can be added under provider.${ref.providerID}.models in docket.json.`
      const found = findModel({ ...ref, modelID }, name, models, hint)
      if (problem !== null) {
        throw new DocketError(missingPackage === null ? "no_model_available" : "package_missing", problem)
      }
      const { account } = connection
      const plugged = account === null ? null : await deps.plugged.options(account, { name, models })
      const info = plugged?.free.includes(found.id) ? { ...found, cost: freeOfCharge } : found
      const served = config.provider?.[ref.providerID]?.models?.[info.id]?.id ?? info.id
      const access = accessSettings(connection, plugged)
      const { baseURL } = access
      const shaping = callShaping(config.provider?.[ref.providerID], { id: info.id, served, npm, baseURL })
      const through = plugged?.hasFetch ? account : null
      const settings = { ...access, providerID: ref.providerID, npm, modelID: served, shaping, account: through }
      return { info, settings, ...optionSets(await loadedCatalogue(), npm, info, config) }
    },
  }
}

const freeOfCharge = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

type ModelConfig = NonNullable<NonNullable<NonNullable<Config["provider"]>[string]["models"]>[string]>

function mergeCost(low: ModelInfo["cost"], high: ModelConfig["cost"]): ModelInfo["cost"] {
  if (!high) return low
  return {
    input: high.input ?? low?.input ?? 0,
    output: high.output ?? low?.output ?? 0,
    cacheRead: high.cache_read ?? low?.cacheRead ?? 0,
    cacheWrite: high.cache_write ?? low?.cacheWrite ?? 0,
  }
}

function mergeLimit(low: ModelInfo["limit"] | undefined, high: ModelConfig["limit"]): ModelInfo["limit"] {
  const input = high?.input ?? (high?.context === undefined ? low?.input : undefined)
  return {
    context: high?.context ?? low?.context ?? 0,
    // A configured context says nothing about the limits of the same model at other providers.
    ...(input !== undefined && { input }),
    output: high?.output ?? low?.output ?? 0,
  }
}

/** The inputs that the config sets for a model, or else the known ones. */
function inputsOf(config: ModelConfig, known: ModelInfo | undefined): Pick<ModelInfo, "inputs"> {
  const configured = config.modalities?.input?.filter((kind) => kind !== "text")
  const inputs = configured ?? known?.inputs
  return inputs === undefined ? {} : { inputs }
}

function configuredModel(providerID: string, id: string, config: ModelConfig, known: ModelInfo | undefined): ModelInfo {
  return {
    id,
    providerID,
    name: config.name ?? known?.name ?? id,
    limit: mergeLimit(known?.limit, config.limit),
    cost: mergeCost(known?.cost ?? null, config.cost),
    reasoning: config.reasoning ?? known?.reasoning ?? false,
    toolCall: config.tool_call ?? known?.toolCall ?? true,
    ...inputsOf(config, known),
    variants: [],
    rehearsal: false,
  }
}

interface KnownModels {
  own: Catalogue
  wide: WideProvider | null
}

/**
 * The models of a provider: first those that the config adds or changes, then those of Docket's own catalogue, newest
 * first, then those that only the wider one knows.
 */
function providerModels(known: KnownModels, { id, npm }: { id: string; npm: string }, config: Config): ModelInfo[] {
  const entries = Object.entries(config.provider?.[id]?.models ?? {})
  const configured = entries.map(([modelID, model]) =>
    configuredModel(id, modelID, model, knownModel(known, { id, npm, served: model.id ?? modelID })),
  )
  const isBuiltin = builtinProviders.some((provider) => provider.id === id)
  const own = isBuiltin ? (known.own.get(id)?.models ?? []) : []
  const listed = [...own, ...otherModels(known, id, entries.length > 0)]
  const models = [...configured, ...listed.filter((model) => !configured.some((other) => other.id === model.id))]
  return models.map((info) => ({ ...info, variants: variantsOf(known, { npm }, info, config) }))
}

function variantsOf({ own }: KnownModels, { npm }: { npm: string }, info: ModelInfo, config: Config): string[] {
  return Object.keys(optionSets(own, npm, info, config).variants)
}

/**
 * What the wider catalogue adds. A provider of Docket's own gets only what was refreshed, because the package is older
 * and names models that are gone; another one gets its models unless the config lists them.
 */
function otherModels({ own, wide }: KnownModels, id: string, areListed: boolean): ModelInfo[] {
  if (wide === null) return []
  const names = own.get(id)?.names
  if (names === undefined ? areListed : wide.source !== "refreshed") return []
  return wide.models.filter((facts) => !names?.has(facts.id) && canWork(facts)).map((facts) => modelOfFacts(id, facts))
}

/** What is known of a model by the name that its server has for it; Docket's own catalogue wins. */
function knownModel(
  { own, wide }: KnownModels,
  { id, npm, served }: { id: string; npm: string; served: string },
): ModelInfo | undefined {
  const familyID = builtinProviders.find((provider) => provider.npm === npm)?.id
  const family = familyID === undefined ? undefined : own.get(familyID)
  const ofFamily = family?.models.find((item) => item.id === (family.aliases.get(served) ?? served))
  const facts = wide?.models.find((item) => item.id === served)
  const ofProvider = facts && modelOfFacts(id, facts)
  if (ofFamily === undefined || ofFamily.providerID === id) return ofFamily ?? ofProvider
  // The same model at another provider: its prices are that provider's.
  return { ...ofFamily, providerID: id, cost: ofProvider?.cost ?? null }
}
