import { join } from "node:path"
import type { LanguageModelV4 } from "@ai-sdk/provider"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import type {
  CataloguedProvider,
  CatalogueState,
  ExactPackage,
  InstalledPackage,
  ModelInfo,
  ModelRef,
  PackageFacts,
  ProviderInfo,
} from "../../ground/schema/index.ts"
import { createFileVault } from "../../ground/secret/file-vault.ts"
import type { Vault } from "../../ground/secret/vault.ts"
import type { SessionStore } from "../../ground/store/index.ts"
import type { Trace } from "../../ground/trace/trace.ts"
import type { Config } from "../config/schema.ts"
import { userConfigDirectory } from "../config/user-directory.ts"
import { type ModelCatalogue, modelCatalogue } from "./catalogue/model-catalogue.ts"
import { createWideCatalogue, type RefreshFrom } from "./catalogue/wide-catalogue.ts"
import { keyFile } from "./key-file.ts"
import { createKeyStore } from "./key-store.ts"
import { keyTarget } from "./key-target.ts"
import { createLanguageModel } from "./language-model.ts"
import { createLocalProviders, knownLocalServers, type LocalServer } from "./local-providers.ts"
import { assertProvider, bestModel, findModel, findVariant, parseModelRef, smallModelOf } from "./model-choice.ts"
import type { OptionSets } from "./option-sets.ts"
import { packagedModel } from "./package/packaged-model.ts"
import { createProviderPackages, type ProviderPackages } from "./package/provider-packages.ts"
import { noPluggedProviders, type PluggedProviders } from "./plugged-providers.ts"
import { rehearsalProvider } from "./rehearsal-info.ts"
import { createRemoteProviders, type ModelSettings } from "./remote-providers.ts"
import { type AnyLanguageModel, createMiddlewareLoader, shapeModel } from "./shape-model.ts"
import { tracedFetch } from "./traced-fetch.ts"

export interface ProvidersDeps {
  /** The directory of installed packages, of the catalogue and of auth.json. */
  dataDirectory: string
  /** Where saved keys are; default: in auth.json. */
  vault?: Vault | undefined
  env: Record<string, string | undefined>
  /** Local servers to look for; default knownLocalServers. */
  localServers?: readonly LocalServer[]
  /** How long each server may take to answer (ms); the default suits a busy machine. */
  localProbeMs?: number
  /** Epoch ms; default Date.now. */
  clock?: () => number
  /** Loads the model that needs no provider. */
  loadRehearsal(): Promise<LanguageModelV4>
  /** The user's home, whose configuration contains their own middlewares. Without it, none can be used. */
  home?: string
  /** Fetches a catalogue of models that the user names. */
  fetch?: GuardedFetch
  /** Providers that plugins sign in to; without it, there are none. */
  plugged?: PluggedProviders
  /** Of its spans, chosen hosts are told; without it, none is. */
  trace?: Trace | undefined
}

export interface ResolvedModel extends OptionSets {
  info: ModelInfo
  model: LanguageModelV4
  /** The AI SDK package of the model; it decides which provider options apply. */
  npm: string
}

/** Provides models. `config` is the configuration of the current project. */
export interface Providers {
  list(config: Config): Promise<ProviderInfo[]>
  /**
   * @throws provider_not_found, model_not_found (both suggest a name), no_model_available (no key, or an unusable
   * provider)
   */
  resolve(ref: ModelRef, config: Config): Promise<ResolvedModel>
  /** config.model, else the best model of the first connected provider, else the rehearsal model. @throws invalid_input */
  defaultModel(config: Config): Promise<ModelRef>
  /** A cheap model for titles: config.small_model, else one of the same provider, else `ref`. */
  smallModel(ref: ModelRef, config: Config): Promise<ModelRef>
  /**
   * Saves a key for the address and package that `config` gives the provider. @throws invalid_input, provider_not_found
   */
  saveKey(providerID: string, key: string, config: Config): Promise<void>
  /** Removes the key that the provider uses with `config`. */
  removeKey(providerID: string, config: Config): Promise<void>
  /** All saved keys and keys in `config`, which no reader of a share may see. */
  secretKeys(config: Config): Promise<{ providerID: string; key: string }[]>
  /** Looks for local servers again. */
  refresh(): Promise<void>
  packages: Pick<ProviderPackages, "list" | "find" | "lookUp" | "install" | "remove" | "directoryOf">
  catalogue: ModelCatalogue
}

function middlewareDirectory({ env, home }: ProvidersDeps): string | null {
  return home === undefined ? null : join(userConfigDirectory({ env, home }), "middleware")
}

function bareModel(
  {
    packages,
    plugged,
    send,
  }: { packages: ProviderPackages; plugged: PluggedProviders; send: typeof fetch | undefined },
  settings: ModelSettings,
): Promise<AnyLanguageModel> {
  const { account } = settings
  const fetch: typeof globalThis.fetch | undefined =
    account === null ? send : (...request) => plugged.send(account, ...request)
  return settings.package === null ? createLanguageModel(settings, fetch) : packagedModel(packages, settings, fetch)
}

/** Reads keys, config and local servers; loads the catalogue and each SDK on first use. */
export function createProviders(deps: ProvidersDeps): Providers {
  const keys = createKeyStore(deps.vault ?? createFileVault({ "provider-key": keyFile(deps.dataDirectory) }))
  const clock = deps.clock ?? Date.now
  const plugged = deps.plugged ?? noPluggedProviders
  const packages = createProviderPackages({ ...deps, clock })
  const wide = createWideCatalogue({ ...deps, clock })
  const remote = createRemoteProviders({ env: deps.env, keys, packages, wide, plugged })
  const local = createLocalProviders(deps.localServers ?? knownLocalServers(deps.env), deps.localProbeMs)
  const send = deps.trace && tracedFetch(deps.trace)
  const loadMiddleware = createMiddlewareLoader(middlewareDirectory(deps))
  const modelOf = createModelCache<ModelSettings>(async (settings) =>
    shapeModel(await bareModel({ packages, plugged, send }, settings), settings.shaping, loadMiddleware),
  )
  let rehearsal: Promise<LanguageModelV4> | null = null

  const list = async (config: Config) => {
    const found = [...(await remote.list(config)), ...(await local.list(config))]
    return [...found.filter(({ id }) => switchedOffBy(id, config) === null), rehearsalProvider]
  }
  return {
    list,
    async resolve(ref, config) {
      if (ref.providerID === rehearsalProvider.id) {
        const info = findModel(ref, rehearsalProvider.name, rehearsalProvider.models)
        rehearsal ??= deps.loadRehearsal()
        return { info, model: await rehearsal, npm: rehearsalProvider.id, options: {}, variants: {} }
      }
      assertProvider(ref.providerID, [...(await remote.ids(config)), ...local.ids, rehearsalProvider.id])
      assertSwitchedOn(ref.providerID, config)
      const { settings, ...found } = (await local.find(ref, config)) ?? (await remote.find(ref, config))
      return { ...found, model: await modelOf(settings), npm: settings.npm }
    },
    async defaultModel(config) {
      if (config.model !== undefined) return parseModelRef(config.model)
      const best = bestModel(await list(config))
      if (!local.ids.includes(best.providerID)) return best
      // The chosen local server may have stopped since the last check.
      await local.refresh()
      return bestModel(await list(config))
    },
    async smallModel(ref, config) {
      const small = config.small_model === undefined ? null : parseModelRef(config.small_model)
      if (small !== null && switchedOffBy(small.providerID, config) === null) return small
      // At another address, only the listed models are certain to exist.
      const moved = config.provider?.[ref.providerID]?.options?.baseURL !== undefined
      if (moved || !(await remote.ids(config)).includes(ref.providerID)) return ref
      return smallModelOf(ref.providerID, await remote.models(ref.providerID, config)) ?? ref
    },
    async saveKey(providerID, key, config) {
      const trimmed = key.trim()
      if (trimmed === "" || /\s/.test(trimmed)) {
        throw new DocketError("invalid_input", "A key is one word without spaces.")
      }
      assertProvider(providerID, await remote.ids(config))
      await keys.save(providerID, { type: "api", key: trimmed, ...keyTarget(providerID, config) })
    },
    removeKey: (providerID, config) => keys.remove(providerID, keyTarget(providerID, config)),
    async secretKeys(config) {
      const configured = Object.entries(config.provider ?? {}).flatMap(([providerID, { options }]) =>
        options?.apiKey === undefined ? [] : [{ providerID, key: options.apiKey }],
      )
      return [...(await keys.all()), ...(await plugged.secrets()), ...configured]
    },
    refresh: () => local.refresh(),
    packages,
    catalogue: modelCatalogue({ wide, list }),
  }
}

/** Most cached models, so that steps do not create new SDK objects. */
const keptModels = 50

/** Creates models from settings, which are plain data; equal settings give the same model object. */
function createModelCache<Settings>(
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

/** Most recent sessions that are searched; a session that never ran has no model. */
const lookBack = 20

interface DefaultModelDeps {
  providers: Pick<Providers, "defaultModel">
  sessions: Pick<SessionStore, "listRoots">
}

/**
 * The model for a prompt that names none. If only the rehearsal model is available but another model was used last (in
 * the project, or else anywhere), returns that one: the turn then reports why it is unavailable, instead of a
 * rehearsal.
 */
export async function defaultModel(deps: DefaultModelDeps, config: Config, projectID?: string): Promise<ModelRef> {
  const chosen = await deps.providers.defaultModel(config)
  if (chosen.providerID !== rehearsalProvider.id || config.model !== undefined) return chosen
  return (await lastUsed(deps, projectID)) ?? (await lastUsed(deps)) ?? chosen
}

async function lastUsed({ sessions }: DefaultModelDeps, projectID?: string): Promise<ModelRef | null> {
  const { items } = await sessions.listRoots({ projectID, archived: false, limit: lookBack })
  return items.find(({ session }) => session.model !== null)?.session.model ?? null
}

type Lists = Pick<Config, "disabled_providers" | "enabled_providers">

/** The config key that disables a provider; null for an enabled one. Disabling wins over enabling. */
function switchedOffBy(
  providerID: string,
  { disabled_providers, enabled_providers }: Lists,
): "disabled_providers" | "enabled_providers" | null {
  if (disabled_providers?.includes(providerID)) return "disabled_providers"
  return enabled_providers === undefined || enabled_providers.includes(providerID) ? null : "enabled_providers"
}

/** @throws provider_not_found, naming the key that disables it */
function assertSwitchedOn(providerID: string, lists: Lists): void {
  const key = switchedOffBy(providerID, lists)
  if (key === null) return
  const why = key === "disabled_providers" ? `"${key}" names it` : `"${key}" does not name it`
  const message = `The provider "${providerID}" is switched off: ${why} in the configuration. Change that there, or choose a model of another provider.`
  throw new DocketError("provider_not_found", message)
}

/** @throws provider_not_found, model_not_found, no_model_available; variant_not_found when a variant is named */
export async function checkModel(
  providers: Pick<Providers, "resolve">,
  config: Config,
  { model, variant }: { model: ModelRef; variant?: string | null | undefined },
): Promise<void> {
  const { info, variants } = await providers.resolve(model, config)
  if (variant) findVariant(info, variants, variant)
}

/** Models by provider, and how old what is said of them is. */
export interface ModelCatalogueAnswer {
  catalogues: CatalogueState[]
  providers: CataloguedProvider[]
}

export interface ProviderService {
  list(projectID?: string): Promise<ProviderInfo[]>
  /** The model for a new session; null only when no model exists. */
  defaultModel(projectID?: string): Promise<ModelRef>
  /**
   * The key is for the address that the provider has in the project, or, without one, in the user's own configuration.
   */
  saveKey(providerID: string, key: string, projectID?: string): Promise<void>
  removeKey(providerID: string, projectID?: string): Promise<void>
  /** Looks for local servers again. */
  refresh(): Promise<void>
  /** What is known of models: those of one provider, or of all. */
  catalogue(projectID?: string, providerID?: string): Promise<ModelCatalogueAnswer>
  catalogues(): Promise<CatalogueState[]>
  /** Keeps a copy of a catalogue that the user names. @throws invalid_input, and then nothing has changed */
  refreshCatalogue(from: RefreshFrom): Promise<CatalogueState>
  /** Provider packages that the user agreed to install. */
  packages(): Promise<InstalledPackage[]>
  /**
   * The package that the registry has for `name` or `name@1.2.3`. @throws invalid_input, package_not_found,
   * package_unavailable, package_invalid
   */
  lookUpPackage(spec: string): Promise<PackageFacts>
  /** Installs the package shown by `lookUpPackage`. @throws package_changed, package_unavailable, package_invalid */
  installPackage(agreed: ExactPackage): Promise<InstalledPackage>
  /** Models that already use the package go on until Docket restarts. */
  removePackage(name: string, version: string): Promise<void>
}
