import { DocketError } from "../../ground/error/docket-error.ts"
import { didYouMean } from "../../ground/error/nearest-name.ts"
import type { ModelInfo, ModelRef, ProviderInfo } from "../../ground/schema/index.ts"
import { builtinProviders } from "./builtin-providers.ts"

const refOf = ({ providerID, id }: ModelInfo): ModelRef => ({ providerID, modelID: id })

function firstMatch(models: readonly ModelInfo[], patterns: readonly RegExp[]): ModelInfo | undefined {
  for (const pattern of patterns) {
    const found = models.find(({ id }) => pattern.test(id))
    if (found) return found
  }
  return undefined
}

/** The best model that can call tools, from the first connected provider. The rehearsal model comes last. */
export function bestModel(providers: readonly ProviderInfo[]): ModelRef {
  for (const provider of providers) {
    const usable = provider.connected ? provider.models.filter(({ toolCall }) => toolCall) : []
    const preferred = builtinProviders.find(({ id }) => id === provider.id)?.preferred ?? []
    const chosen = firstMatch(usable, preferred) ?? usable[0]
    if (chosen) return refOf(chosen)
  }
  throw new DocketError(
    "no_model_available",
    "No provider is connected. Connect one in Settings, Models; in a team, an admin does this.",
  )
}

/** The cheap model of a built-in provider, or null. */
export function smallModelOf(providerID: string, models: readonly ModelInfo[]): ModelRef | null {
  const patterns = builtinProviders.find(({ id }) => id === providerID)?.small ?? []
  const found = firstMatch(models, patterns)
  return found ? refOf(found) : null
}

/** A named option set of the model. @throws variant_not_found, naming the existing ones */
export function findVariant<Options>(info: ModelInfo, variants: Record<string, Options>, name: string): Options {
  const found = Object.hasOwn(variants, name) ? variants[name] : undefined
  if (found !== undefined) return found
  const names = Object.keys(variants)
  const known = names.length === 0 ? "It has none; leave it out." : `It has ${names.join(", ")}.`
  const message = `The model ${formatModelRef(refOf(info))} has no variant "${name}".${didYouMean(name, names)} ${known}`
  throw new DocketError("variant_not_found", message)
}

/** @throws provider_not_found, suggesting a name */
export function assertProvider(providerID: string, ids: readonly string[]): void {
  if (ids.includes(providerID)) return
  const message = `There is no provider "${providerID}".${didYouMean(providerID, ids)} Known: ${ids.join(", ")}. Others are added under "provider" in docket.json, in that of a project once you trust it; if it was removed there, put it back or choose another model.`
  throw new DocketError("provider_not_found", message)
}

/** The model with that name. @throws model_not_found, suggesting a name, then `hint` */
export function findModel(ref: ModelRef, provider: string, models: readonly ModelInfo[], hint = ""): ModelInfo {
  const found = models.find(({ id }) => id === ref.modelID)
  if (found) return found
  const ids = models.map(({ id }) => id)
  const near = didYouMean(ref.modelID, ids)
  const some = ids.length > 5 ? [...ids.slice(0, 5), "…"] : ids
  const listed = near === "" && ids.length > 0 ? ` It has ${some.join(", ")}.` : near
  const message = `${provider} has no model "${ref.modelID}" (${formatModelRef(ref)}).${listed}${hint}`
  throw new DocketError("model_not_found", message)
}

/** Reads `provider/model`; the model's name may contain slashes. @throws invalid_input */
export function parseModelRef(text: string): ModelRef {
  const slash = text.indexOf("/")
  const providerID = text.slice(0, slash)
  const modelID = text.slice(slash + 1)
  if (slash < 1 || modelID === "") {
    throw new DocketError("invalid_input", `"${text}" is not a model; write it as provider/model.`)
  }
  return { providerID, modelID }
}

/** `provider/model`, as in config and on the command line. */
function formatModelRef(ref: ModelRef): string {
  return `${ref.providerID}/${ref.modelID}`
}

/** Docket's own limit where a model allows more, because longer answers are rare and use up context. */
export const maxOutputTokens = 32_000
