import type { JSONObject } from "@ai-sdk/provider"
import type { ModelInfo } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { builtinProviders } from "./builtin-providers.ts"
import type { Catalogue } from "./catalogue.ts"
import { assumedThinking } from "./thinking.ts"
import { thinkingOptions } from "./thinking-options.ts"

/** What a model's SDK package is told. */
export interface OptionSets {
  /** With every call: what Docket sets, then what docket.json sets for the model. */
  options: JSONObject
  /** By name, what a chosen variant replaces in them; weakest first. */
  variants: Record<string, JSONObject>
}

/** The option sets of one model: those of its family, changed and added to by `provider.<id>.models.<model>`. */
export function optionSets(
  catalogue: Catalogue,
  npm: string,
  info: Pick<ModelInfo, "id" | "providerID" | "reasoning" | "limit">,
  config: Config,
): OptionSets {
  const configured = config.provider?.[info.providerID]?.models?.[info.id]
  const served = configured?.id ?? info.id
  const package_ = builtinProviders.find((provider) => provider.npm === npm)?.id
  const family = package_ === undefined ? undefined : catalogue.get(package_)
  const known = family?.thinking.get(family.aliases.get(served) ?? served)
  const thinking = info.reasoning ? (known ?? assumedThinking(served)) : null
  const { base, variants } = thinkingOptions(npm, { modelID: served, output: info.limit.output, thinking })
  // Config is JSON, so the options are.
  return {
    options: { ...base, ...(configured?.options as JSONObject | undefined) },
    variants: withConfigured(variants, configured?.variants ?? {}),
  }
}

type ConfiguredVariants = NonNullable<
  NonNullable<NonNullable<NonNullable<Config["provider"]>[string]["models"]>[string]["variants"]>
>

/** A configured variant changes the one of its name, or is new; `false` takes it away. */
function withConfigured(known: OptionSets["variants"], configured: ConfiguredVariants): OptionSets["variants"] {
  const merged = { ...known }
  for (const [name, options] of Object.entries(configured)) {
    if (options === false) delete merged[name]
    else merged[name] = { ...merged[name], ...(options as JSONObject) }
  }
  return merged
}
