import type { ModelInfo } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { builtinProviders } from "./builtin-providers.ts"
import type { Catalogue } from "./catalogue.ts"
import { optionSets } from "./option-sets.ts"

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
    // A context of one's own says nothing of the limits of the model as others offer it.
    ...(input !== undefined && { input }),
    output: high?.output ?? low?.output ?? 0,
  }
}

/** What config says a model reads, else what is known of it. */
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
    // A gateway has prices of its own.
    cost: mergeCost(known?.providerID === providerID ? known.cost : null, config.cost),
    reasoning: config.reasoning ?? known?.reasoning ?? false,
    toolCall: config.tool_call ?? known?.toolCall ?? true,
    ...inputsOf(config, known),
    variants: [],
    rehearsal: false,
  }
}

/** The models of a provider: those that config adds or changes first, then the catalogue's, newest first. */
export function providerModels(catalogue: Catalogue, providerID: string, npm: string, config: Config): ModelInfo[] {
  const ofPackage = builtinProviders.find((provider) => provider.npm === npm)?.id
  const listed = builtinProviders.some(({ id }) => id === providerID) ? (catalogue.get(providerID)?.models ?? []) : []
  const family = ofPackage === undefined ? undefined : catalogue.get(ofPackage)
  const configured = Object.entries(config.provider?.[providerID]?.models ?? {}).map(([id, model]) => {
    const known = family?.models.find((item) => item.id === (family.aliases.get(model.id ?? id) ?? model.id ?? id))
    return configuredModel(providerID, id, model, known)
  })
  const models = [...configured, ...listed.filter(({ id }) => !configured.some((model) => model.id === id))]
  return models.map((info) => ({ ...info, variants: Object.keys(optionSets(catalogue, npm, info, config).variants) }))
}
