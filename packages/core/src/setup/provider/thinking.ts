import type { ModelConfig } from "llm-zoo"

/** How much a model can be asked to think. Null in a catalogue: it does not think. */
export interface Thinking {
  /** Efforts that it takes, in rising order; empty when it takes a token budget instead. */
  efforts: readonly string[]
  /** It decides by itself when to think (Anthropic's adaptive thinking). */
  adaptive: boolean
  /** It can also answer without thinking. */
  optional: boolean
}

const scale = ["none", "minimal", "low", "medium", "high", "xhigh", "max"]

/** What the catalogue's entries of one model say: it may be listed both with and without thinking. */
export function knownThinking(entries: readonly ModelConfig[]): Thinking | null {
  const thinks = entries.find(({ capabilities }) => capabilities.supportsReasoning)
  if (thinks === undefined) return null
  const { supportsAdaptiveThinking, supportedReasoningEfforts } = thinks.capabilities
  return {
    efforts: supportedReasoningEfforts ?? assumedEfforts(thinks.shortName),
    adaptive: supportsAdaptiveThinking,
    optional: entries.some(({ capabilities }) => !capabilities.supportsReasoning),
  }
}

/** What a model that thinks and is not in the catalogue is taken to understand. */
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
  return scale.slice(scale.indexOf(least), scale.indexOf(most) + 1)
}
