import type { ModelConfig } from "llm-zoo"
import type { ModelInfo } from "../../../ground/schema/index.ts"

/** The models of a provider; `aliases` maps a dated id to the id (`gpt-5-2025-08-07` → `gpt-5`). */
interface CatalogueProvider {
  models: ModelInfo[]
  aliases: Map<string, string>
  /** By id; models without thinking are left out. */
  thinking: Map<string, Thinking>
  /** Every name that the package has, those of retired models too. */
  names: Set<string>
}

/** What is known about the models of Anthropic, OpenAI and Google. */
export type Catalogue = Map<string, CatalogueProvider>

/** A 5-minute cache write at Anthropic costs 1.25 times the input price; others bill it as input. */
const anthropicCacheWrite = 1.25

/** The numbers in a model's name without dates, to sort by version: `claude-opus-4-5` → [4, 5]. */
function version(id: string): number[] {
  return (id.match(/\d+/g) ?? []).map(Number).filter((number) => number < 1000)
}

function newestFirst(a: ModelConfig, b: ModelConfig): number {
  if ((a.deprecated ?? false) !== (b.deprecated ?? false)) return a.deprecated ? 1 : -1
  const [left, right] = [version(a.shortName), version(b.shortName)]
  for (let index = 0; index < Math.max(left.length, right.length); index++) {
    const difference = (right[index] ?? 0) - (left[index] ?? 0)
    if (difference !== 0) return difference
  }
  return a.shortName.localeCompare(b.shortName)
}

/** From GPT-5 on, OpenAI reserves the longest answer separately: 272,000 of 400,000 tokens are for input. */
function inputLimit({ provider, shortName, contextWindow, maxOutputTokens }: ModelConfig): { input?: number } {
  if (provider !== "openai" || !/^gpt-[5-9]/.test(shortName) || contextWindow <= maxOutputTokens) return {}
  return { input: contextWindow - maxOutputTokens }
}

function toModelInfo(config: ModelConfig, reasoning: boolean): ModelInfo {
  const { provider, inputPrice, outputPrice, capabilities } = config
  const usd = (value: number) => Math.round(value * 1e6) / 1e6
  return {
    id: config.shortName,
    providerID: provider,
    name: config.label.replace(/ \(Thinking\)$/, ""),
    limit: { context: config.contextWindow, ...inputLimit(config), output: config.maxOutputTokens },
    cost: {
      input: inputPrice,
      output: outputPrice,
      cacheRead: usd(inputPrice * capabilities.cacheDiscountFactor),
      cacheWrite: usd(inputPrice * (provider === "anthropic" ? anthropicCacheWrite : 1)),
    },
    reasoning,
    toolCall: capabilities.supportsFunctionCalling,
    inputs: inputsOf(config),
    variants: [],
    rehearsal: false,
  }
}

/** All three providers accept PDF with every vision model; Google accepts videos too. */
function inputsOf({ provider, capabilities }: ModelConfig): NonNullable<ModelInfo["inputs"]> {
  return [
    ...(capabilities.supportsVision ? (["image", "pdf"] as const) : []),
    ...(capabilities.supportsNativeAudio ? (["audio"] as const) : []),
    ...(capabilities.supportsVision && provider === "google" ? (["video"] as const) : []),
  ]
}

const emptyProvider = (): CatalogueProvider => ({
  models: [],
  aliases: new Map(),
  thinking: new Map(),
  names: new Set(),
})

/**
 * Limits and prices from the data in the package llm-zoo, without network. Retired models and special service tiers are
 * left out; deprecated ones come last. Loaded on first use (3 ms, 3 MB).
 */
export async function loadCatalogue(): Promise<Catalogue> {
  const zoo = await import("llm-zoo/providers")
  const known = [zoo.ANTHROPIC_MODELS, zoo.OPENAI_MODELS, zoo.OPENAI_REASONING_MODELS, zoo.GOOGLE_MODELS]
  const all = known.flatMap((models): ModelConfig[] => Object.values(models))
  const configs = all
    .filter(({ retired, openRouterOnly, serviceTier }) => !retired && !openRouterOnly && !serviceTier)
    .sort(newestFirst)

  const catalogue: Catalogue = new Map()
  for (const config of configs) {
    const provider = catalogue.get(config.provider) ?? emptyProvider()
    catalogue.set(config.provider, provider)
    provider.aliases.set(config.fullName, config.shortName)
    if (provider.models.some(({ id }) => id === config.shortName)) continue
    // The same model may be listed both with and without thinking.
    const entries = configs.filter((entry) => entry.shortName === config.shortName)
    const thinking = knownThinking(entries)
    provider.models.push(toModelInfo(config, thinking !== null))
    if (thinking) provider.thinking.set(config.shortName, thinking)
  }
  for (const { provider, fullName, shortName } of all) {
    for (const name of [fullName, shortName]) catalogue.get(provider)?.names.add(name)
  }
  return catalogue
}

/** The release of llm-zoo that is installed, and its day. */
export const ownRelease = { version: "1.37.0", date: "2026-09-23" } as const

/** How much thinking can be requested from a model. Null in a catalogue: it does not think. */
export interface Thinking {
  /** The accepted efforts, ascending; empty when it uses a token budget instead. */
  efforts: readonly string[]
  /** The model decides when to think (Anthropic's adaptive thinking). */
  adaptive: boolean
  /** The model can also answer without thinking. */
  optional: boolean
}

const effortScale = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/** The thinking in the catalogue's entries of one model, which may be listed both with and without it. */
function knownThinking(entries: readonly ModelConfig[]): Thinking | null {
  const thinks = entries.find(({ capabilities }) => capabilities.supportsReasoning)
  if (thinks === undefined) return null
  const { supportsAdaptiveThinking, supportedReasoningEfforts } = thinks.capabilities
  return {
    efforts: supportedReasoningEfforts ?? assumedEfforts(thinks.shortName),
    adaptive: supportsAdaptiveThinking,
    optional: entries.some(({ capabilities }) => !capabilities.supportsReasoning),
  }
}

/** The assumed options of a thinking model that is not in the catalogue. */
export function assumedThinking(modelID: string): Thinking {
  const adaptive = modelID.includes("claude")
  const efforts = adaptive ? ["low", "medium", "high"] : assumedEfforts(modelID)
  return { efforts, adaptive, optional: false }
}

/**
 * Efforts by a model's name, where the catalogue has no list (OpenAI's and Google's model pages, November 2026).
 * `none` and `minimal` are efforts of their own there.
 */
function assumedEfforts(modelID: string): string[] {
  const id = modelID.slice(modelID.lastIndexOf("/") + 1)
  const gpt = /^gpt-(\d+)(?:\.(\d+))?(?:-(\w+))?/.exec(id)
  if (gpt) return gptEfforts(Number(gpt[1]), Number(gpt[2] ?? 0), gpt[3] ?? "")
  if (/^gemini-2\.5/.test(id) || id.startsWith("claude")) return []
  if (/^gemini-.*flash/.test(id) && id !== "gemini-flash-latest") return between("minimal", "high")
  return between("low", "high")
}

function gptEfforts(major: number, minor: number, kind: string): string[] {
  if (kind === "oss") return between("low", "high")
  if (major >= 6) return between("low", "max")
  const most = minor >= 6 ? "max" : minor >= 2 ? "xhigh" : "high"
  if (kind === "pro") return minor === 0 ? ["high"] : between("medium", most)
  if (kind === "codex") return between("low", most)
  return minor === 0 ? between("minimal", most) : ["none", ...between("low", most)]
}

function between(least: string, most: string): string[] {
  return effortScale.slice(effortScale.indexOf(least), effortScale.indexOf(most) + 1)
}
