import type {
  CataloguedProvider,
  CatalogueState,
  FactsSource,
  ModelFacts,
  ProviderInfo,
} from "../../../ground/schema/index.ts"
import type { Config } from "../../config/schema.ts"
import { builtinProviders } from "../builtin-providers.ts"
import { factsOfModel } from "./model-of-facts.ts"
import { loadCatalogue, ownRelease } from "./own-catalogue.ts"
import type { WideCatalogue, WideProvider } from "./wide-catalogue.ts"

/** What is known of models, for people and for programs. */
export interface ModelCatalogue {
  /** Providers that can be used come first. `providerID` names one; an unknown one gives an empty list. */
  list(config: Config, providerID?: string): Promise<CataloguedProvider[]>
  /** The catalogues in use; the first that knows a model wins. */
  states(): Promise<CatalogueState[]>
  refresh: WideCatalogue["refresh"]
}

interface CatalogueDeps {
  wide: WideCatalogue
  /** The providers of a project, with what its configuration says of them. */
  list(config: Config): Promise<ProviderInfo[]>
}

export function modelCatalogue({ wide, list }: CatalogueDeps): ModelCatalogue {
  return {
    async list(config, providerID) {
      const usable = (await list(config)).filter(({ models }) => models.some(({ rehearsal }) => !rehearsal))
      const ids = [...new Set([...usable.map(({ id }) => id), ...(await wide.ids())])]
      const asked = ids.filter((id) => providerID === undefined || id === providerID)
      const own = await ownModels()
      const providers = await Promise.all(
        asked.map(async (id): Promise<CataloguedProvider> => {
          const info = usable.find((provider) => provider.id === id)
          const known = await wide.provider(id)
          const name = info?.name ?? known?.name ?? id
          return { id, name, connected: info?.connected ?? false, models: modelsOf({ info, known, own, config }) }
        }),
      )
      return providers.sort((a, b) => Number(b.connected) - Number(a.connected))
    },
    async states() {
      const { date, version } = ownRelease
      const own: CatalogueState = {
        source: "llm-zoo",
        date,
        from: version,
        refreshedAt: null,
        providers: builtinProviders.length,
        problem: null,
      }
      return [own, ...(await wide.states())]
    },
    refresh: wide.refresh,
  }
}

/** The models of Docket's own catalogue, by provider and id. */
async function ownModels(): Promise<Set<string>> {
  const own = await loadCatalogue()
  return new Set([...own].flatMap(([id, { models }]) => models.map((model) => `${id}/${model.id}`)))
}

interface Known {
  info: ProviderInfo | undefined
  known: WideProvider | null
  own: ReadonlySet<string>
  config: Config
}

function modelsOf({ info, known, own, config }: Known): CataloguedProvider["models"] {
  const listed = (info?.models ?? []).map((model) => {
    const source: FactsSource =
      info?.source === "local"
        ? "server"
        : Object.hasOwn(config.provider?.[model.providerID]?.models ?? {}, model.id)
          ? "configuration"
          : own.has(`${model.providerID}/${model.id}`)
            ? "llm-zoo"
            : (known?.source ?? "configuration")
    const wide = known?.models.find(({ id }) => id === model.id)
    // What the provider uses was filled up so that steps can be counted; here, unknown stays unknown.
    const facts: ModelFacts = source === known?.source && wide ? wide : factsOfModel(model)
    return { ...facts, source }
  })
  if (info !== undefined) return listed
  return (known?.models ?? []).map((facts) => ({ ...facts, source: known?.source ?? "configuration" }))
}
