import type { JSONObject } from "@ai-sdk/provider"
import type { ModelInfo } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { builtinProviders } from "./builtin-providers.ts"
import { assumedThinking, type Catalogue, type Thinking } from "./catalogue.ts"

/** The options that a model's SDK package gets. */
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

/** Options for one SDK package, by the names that it gives them. */
interface ThinkingOptions {
  /** Sent with every call: the model thinks. */
  base: JSONObject
  /** What a named effort replaces in it. */
  variants: Record<string, JSONObject>
}

/** The model, as its server calls it, and its most tokens of output (0 for unknown). */
interface ThinkingModel {
  modelID: string
  output: number
  /** Null for a model that does not think. */
  thinking: Thinking | null
}

/** How each package is told that a model thinks, and how much. Names and values are those of its type definitions. */
function thinkingOptions(npm: string, model: ThinkingModel): ThinkingOptions {
  switch (npm) {
    case "@ai-sdk/anthropic":
      return model.thinking === null ? nothing : anthropic(model, model.thinking)
    case "@ai-sdk/openai":
      return openai(model.thinking)
    case "@ai-sdk/google":
      return model.thinking === null ? nothing : google(model, model.thinking)
    case "@ai-sdk/openai-compatible":
      return model.thinking === null ? nothing : openaiCompatible(model.thinking)
    default:
      return nothing
  }
}

const nothing: ThinkingOptions = { base: {}, variants: {} }

/** Tokens for thinking, where a model takes a budget instead of an effort. */
const budgets = { low: 4_000, medium: 10_000, high: 20_000, max: 32_000 }

function byEffort(efforts: readonly string[], options: (effort: string) => JSONObject): Record<string, JSONObject> {
  return Object.fromEntries(efforts.map((effort) => [effort, options(effort)]))
}

function anthropic({ modelID, output }: ThinkingModel, thinking: Thinking): ThinkingOptions {
  const off: Record<string, JSONObject> = thinking.optional ? { none: { thinking: { type: "disabled" } } } : {}
  if (thinking.adaptive) {
    // Newer models omit the text of their thoughts unless it is asked for.
    const adaptive = { thinking: { type: "adaptive", display: "summarized" } }
    return {
      base: adaptive,
      variants: { ...off, ...byEffort(thinking.efforts, (effort) => ({ ...adaptive, effort })) },
    }
  }
  const enabled = (budget: number) => ({
    // The answer needs room beside the thoughts.
    thinking: { type: "enabled", budgetTokens: output > 0 ? Math.min(budget, Math.floor(output / 2)) : budget },
  })
  const variants = Object.entries(budgets).map(([name, budget]) => [name, enabled(budget)])
  // Thinking between tool calls is newer than these models; others that speak the protocol do not know the header.
  const interleaved = modelID.includes("claude") ? { anthropicBeta: ["interleaved-thinking-2025-05-14"] } : {}
  return { base: { ...enabled(budgets.medium), ...interleaved }, variants: { ...off, ...Object.fromEntries(variants) } }
}

function openai(thinking: Thinking | null): ThinkingOptions {
  // What OpenAI keeps is gone after 30 days and belongs to one key; a session lives longer.
  const stateless = { store: false }
  if (thinking === null) return { base: stateless, variants: {} }
  return {
    base: {
      ...stateless,
      // Without it the thoughts of earlier steps could not be given back.
      include: ["reasoning.encrypted_content"],
      // The package knows OpenAI's names only; here the model is known to think.
      forceReasoning: true,
      reasoningSummary: "auto",
      // Some models do not think unless they are asked to.
      ...(thinking.efforts.includes("medium") && { reasoningEffort: "medium" }),
    },
    variants: byEffort(thinking.efforts, (effort) => ({
      reasoningEffort: effort,
      reasoningSummary: effort === "none" ? null : "auto",
    })),
  }
}

function google({ modelID }: ThinkingModel, { efforts }: Thinking): ThinkingOptions {
  const config = (more: JSONObject) => ({ thinkingConfig: { includeThoughts: true, ...more } })
  if (efforts.length > 0)
    return { base: config({}), variants: byEffort(efforts, (level) => config({ thinkingLevel: level })) }
  const pro = modelID.includes("pro")
  // -1 leaves the amount to the model. Pro cannot do without, Flash takes at most 24,576.
  const most = pro ? budgets.max : 24_576
  const variants = Object.entries({ ...(!pro && { none: 0 }), ...budgets, max: most })
  return {
    base: config({ thinkingBudget: -1 }),
    variants: Object.fromEntries(
      variants.map(([name, thinkingBudget]) => [name, config({ includeThoughts: thinkingBudget > 0, thinkingBudget })]),
    ),
  }
}

function openaiCompatible({ efforts }: Thinking): ThinkingOptions {
  // Budgets are not part of this protocol; the server turns an effort into one.
  const levels = efforts.length === 0 ? ["low", "medium", "high"] : efforts
  return {
    base: levels.includes("medium") ? { reasoningEffort: "medium" } : {},
    variants: byEffort(levels, (reasoningEffort) => ({ reasoningEffort })),
  }
}
