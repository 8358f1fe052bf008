import { join } from "node:path"
import type { LanguageModelV4 } from "@ai-sdk/provider"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { ModelInfo, ModelRef, ProviderInfo } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { userConfigDirectory } from "../config/user-directory.ts"
import { keyTarget } from "./connection.ts"
import { createKeyStore } from "./key-store.ts"
import { createLanguageModel } from "./language-model.ts"
import { createLocalProviders, knownLocalServers, type LocalServer } from "./local-providers.ts"
import { assertProvider, bestModel, findModel, smallModelOf } from "./model-choice.ts"
import { parseModelRef } from "./model-ref.ts"
import type { OptionSets } from "./option-sets.ts"
import { createMiddlewareLoader } from "./own-middleware.ts"
import { packagedModel } from "./package/packaged-model.ts"
import { createProviderPackages, type ProviderPackages } from "./package/provider-packages.ts"
import { assertSwitchedOn, switchedOffBy } from "./provider-lists.ts"
import { rehearsalProvider } from "./rehearsal-info.ts"
import { createRemoteProviders, type ModelSettings } from "./remote-providers.ts"
import { type AnyLanguageModel, shapeModel } from "./shape-model.ts"

export interface ProvidersDeps {
  /** Holds auth.json. */
  dataDirectory: string
  env: Record<string, string | undefined>
  /** Servers to look for; those of knownLocalServers unless given. */
  localServers?: readonly LocalServer[]
  /** How long each may take to answer (ms); long enough for a busy machine unless given. */
  localProbeMs?: number
  /** Epoch ms; Date.now unless given. */
  clock?: () => number
  /** Loads the model that needs no provider. */
  loadRehearsal(): Promise<LanguageModelV4>
  /** The user's; their own middlewares lie in its configuration. Without it none can be named. */
  home?: string
}

export interface ResolvedModel extends OptionSets {
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
  /** Saves a key for the address and the package that `config` gives the provider. @throws invalid_input, provider_not_found */
  saveKey(providerID: string, key: string, config: Config): Promise<void>
  /** Removes the key that the provider has with `config`. */
  removeKey(providerID: string, config: Config): Promise<void>
  /** Every key that is saved here, or stands in `config`: what no reader of a share may see. */
  secretKeys(config: Config): Promise<{ providerID: string; key: string }[]>
  /** Looks again for local servers. */
  refresh(): Promise<void>
  packages: Pick<ProviderPackages, "list" | "lookUp" | "install" | "remove">
}

function middlewareDirectory({ env, home }: ProvidersDeps): string | null {
  return home === undefined ? null : join(userConfigDirectory({ env, home }), "middleware")
}

function bareModel(packages: ProviderPackages, settings: ModelSettings): Promise<AnyLanguageModel> {
  return settings.package === null ? createLanguageModel(settings) : packagedModel(packages, settings)
}

/** Reads keys, config and local servers; loads the catalogue and each SDK only when it is first needed. */
export function createProviders(deps: ProvidersDeps): Providers {
  const keys = createKeyStore(deps)
  const packages = createProviderPackages({ ...deps, clock: deps.clock ?? Date.now })
  const remote = createRemoteProviders({ env: deps.env, keys, packages })
  const local = createLocalProviders(deps.localServers ?? knownLocalServers(deps.env), deps.localProbeMs)
  const loadMiddleware = createMiddlewareLoader(middlewareDirectory(deps))
  const modelOf = createModelCache<ModelSettings>(async (settings) =>
    shapeModel(await bareModel(packages, settings), settings.shaping, loadMiddleware),
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
      assertProvider(ref.providerID, [...remote.ids(config), ...local.ids, rehearsalProvider.id])
      assertSwitchedOn(ref.providerID, config)
      const { settings, ...found } = (await local.find(ref, config)) ?? (await remote.find(ref, config))
      return { ...found, model: await modelOf(settings), npm: settings.npm }
    },
    async defaultModel(config) {
      if (config.model !== undefined) return parseModelRef(config.model)
      const best = bestModel(await list(config))
      if (!local.ids.includes(best.providerID)) return best
      // It answered at the last look; by now it may be gone.
      await local.refresh()
      return bestModel(await list(config))
    },
    async smallModel(ref, config) {
      const small = config.small_model === undefined ? null : parseModelRef(config.small_model)
      if (small !== null && switchedOffBy(small.providerID, config) === null) return small
      // Behind another address only the models that it lists are sure to be there.
      const moved = config.provider?.[ref.providerID]?.options?.baseURL !== undefined
      if (moved || !remote.ids(config).includes(ref.providerID)) return ref
      return smallModelOf(ref.providerID, await remote.models(ref.providerID, config)) ?? ref
    },
    async saveKey(providerID, key, config) {
      const trimmed = key.trim()
      if (trimmed === "" || /\s/.test(trimmed)) {
        throw new DocketError("invalid_input", "A key is one word without spaces.")
      }
      assertProvider(providerID, remote.ids(config))
      await keys.save(providerID, { type: "api", key: trimmed, ...keyTarget(providerID, config) })
    },
    removeKey: (providerID, config) => keys.remove(providerID, keyTarget(providerID, config)),
    async secretKeys(config) {
      const configured = Object.entries(config.provider ?? {}).flatMap(([providerID, { options }]) =>
        options?.apiKey === undefined ? [] : [{ providerID, key: options.apiKey }],
      )
      return [...(await keys.all()), ...configured]
    },
    refresh: () => local.refresh(),
    packages,
  }
}

/** Models that are kept, so that a step makes no new SDK objects. */
const keptModels = 50

/** Makes models of settings, which are plain data; the same settings give the same model. */
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
