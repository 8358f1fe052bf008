import type { JSONObject } from "@ai-sdk/provider"
import type { ModelInfo } from "../../ground/schema/index.ts"
import type { Config } from "../config/schema.ts"
import { builtinProviders } from "./builtin-providers.ts"
import { assumedThinking, type Catalogue, type Thinking } from "./catalogue/own-catalogue.ts"

/** The options that a model's SDK package gets. */
export interface OptionSets {
  /** Sent with every call: Docket's options, overridden by those of docket.json for the model. */
  options: JSONObject
  /** By name, the options that a chosen variant overrides; weakest first. */
  variants: Record<string, JSONObject>
}

/** The option sets of one model: those of its family, changed and extended by `provider.<id>.models.<model>`. */
export function optionSets(
  catalogue: Catalogue,
  npm: string,
  info: Pick<ModelInfo, "id" | "providerID" | "reasoning" | "limit">,
  config: Config,
): OptionSets {
  const configured = config.provider?.[info.providerID]?.models?.[info.id]
  const served = configured?.id ?? info.id
  const familyID = builtinProviders.find((provider) => provider.npm === npm)?.id
  const family = familyID === undefined ? undefined : catalogue.get(familyID)
  const known = family?.thinking.get(family.aliases.get(served) ?? served)
  // That a catalogue calls it a thinking model does not say what its server understands: only the user's word does.
  const assumed = configured?.reasoning === true ? assumedThinking(served) : null
  const thinking = info.reasoning ? (known ?? assumed) : null
  const { base, variants } = thinkingOptions(npm, { modelID: served, output: info.limit.output, thinking })
  // Config is JSON, so its options are too.
  return {
    options: { ...base, ...(configured?.options as JSONObject | undefined) },
    variants: withConfigured(variants, configured?.variants ?? {}),
  }
}

type ConfiguredVariants = NonNullable<
  NonNullable<NonNullable<NonNullable<Config["provider"]>[string]["models"]>[string]["variants"]>
>

/** A configured variant changes the one with its name or adds a new one; `false` removes it. */
function withConfigured(known: OptionSets["variants"], configured: ConfiguredVariants): OptionSets["variants"] {
  const merged = { ...known }
  for (const [name, options] of Object.entries(configured)) {
    if (options === false) delete merged[name]
    else merged[name] = { ...merged[name], ...(options as JSONObject) }
  }
  return merged
}

/** Thinking options for one SDK package, in its own names. */
interface ThinkingOptions {
  /** Sent with every call, so that the model thinks. */
  base: JSONObject
  /** The options that a named effort overrides. */
  variants: Record<string, JSONObject>
}

/** The model's name at its server, and its most output tokens (0 if unknown). */
interface ThinkingModel {
  modelID: string
  output: number
  /** Null for a model without thinking. */
  thinking: Thinking | null
}

/**
 * The options with which each package enables thinking and sets its amount. Names and values are from its type
 * definitions.
 */
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

/** Thinking tokens, for models with a budget instead of an effort. */
const budgets = { low: 4_000, medium: 10_000, high: 20_000, max: 32_000 }

function byEffort(efforts: readonly string[], options: (effort: string) => JSONObject): Record<string, JSONObject> {
  return Object.fromEntries(efforts.map((effort) => [effort, options(effort)]))
}

function anthropic({ modelID, output }: ThinkingModel, thinking: Thinking): ThinkingOptions {
  const off: Record<string, JSONObject> = thinking.optional ? { none: { thinking: { type: "disabled" } } } : {}
  if (thinking.adaptive) {
    // Newer models omit the text of their thinking unless it is requested.
    const adaptive = { thinking: { type: "adaptive", display: "summarized" } }
    return {
      base: adaptive,
      variants: { ...off, ...byEffort(thinking.efforts, (effort) => ({ ...adaptive, effort })) },
    }
  }
  const enabled = (budget: number) => ({
    // Leave room for the answer besides the thinking.
    thinking: { type: "enabled", budgetTokens: output > 0 ? Math.min(budget, Math.floor(output / 2)) : budget },
  })
  const variants = Object.entries(budgets).map(([name, budget]) => [name, enabled(budget)])
  // Claude models before adaptive thinking need this header to think between tool calls; other models with this
  // protocol do not know it.
  const interleaved = modelID.includes("claude") ? { anthropicBeta: ["interleaved-thinking-2025-05-14"] } : {}
  return { base: { ...enabled(budgets.medium), ...interleaved }, variants: { ...off, ...Object.fromEntries(variants) } }
}

function openai(thinking: Thinking | null): ThinkingOptions {
  // OpenAI deletes stored items after 30 days and ties them to one key; a session lives longer.
  const stateless = { store: false }
  if (thinking === null) return { base: stateless, variants: {} }
  return {
    base: {
      ...stateless,
      // Required to send the thinking of earlier steps back.
      include: ["reasoning.encrypted_content"],
      // The package recognises only OpenAI's names; this model is known to think.
      forceReasoning: true,
      reasoningSummary: "auto",
      // Some models think only when asked to.
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
  // -1 lets the model decide. Pro cannot turn thinking off, Flash takes at most 24,576.
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
  // This protocol has no budgets; the server converts an effort.
  const levels = efforts.length === 0 ? ["low", "medium", "high"] : efforts
  return {
    base: levels.includes("medium") ? { reasoningEffort: "medium" } : {},
    variants: byEffort(levels, (reasoningEffort) => ({ reasoningEffort })),
  }
}
