import type { LanguageModelV4Message, LanguageModelV4ToolResultPart, SharedV4ProviderOptions } from "@ai-sdk/provider"
import type { AssistantMessage, ModelRef, Part, ReasoningPart, TextPart, ToolPart } from "../schema/index.ts"
import { sendableCallID, sendableToolName } from "./call-name.ts"
import { sendableJson, sendableText } from "./sendable-text.ts"

type Content = Extract<LanguageModelV4Message, { role: "assistant" }>["content"]

interface AnswerContent {
  content: Content
  /** One for each call, in the same order. */
  results: LanguageModelV4ToolResultPart[]
  /** The parts behind the calls. */
  partIDs: string[]
}

const cleared = "[Old tool result content cleared]"
const interrupted = "[The tool call was interrupted]"
const silent = "(no output)"

/** An answer as the model gets it back. A failed one is nothing; one that was stopped or cut is what it had. */
export function assistantContent(info: AssistantMessage, parts: Part[], model: ModelRef): AnswerContent {
  const stopped = info.error?.name === "AbortedError" || info.error?.name === "InterruptedError"
  if (info.error !== null && !stopped && info.finish !== "length") return { content: [], results: [], partIDs: [] }
  const own = isSame(info.model, model) && (!stopped || isWhole(parts))
  const calls = parts.filter((part) => part.type === "tool")
  return {
    content: withoutLooseReasoning(parts.flatMap((part) => contentOf(part, own) ?? [])),
    results: calls.map(resultOf),
    partIDs: calls.map(({ id }) => id),
  }
}

function isSame(a: ModelRef, b: ModelRef): boolean {
  return a.providerID === b.providerID && a.modelID === b.modelID
}

/**
 * Whether the answer came to its end, even if its calls did not. What a provider says of one that it never finished
 * names things that it did not store, and signatures that are not complete.
 */
function isWhole(parts: Part[]): boolean {
  return parts.some((part) => part.type === "step-finish")
}

function contentOf(part: Part, own: boolean): Content[number] | null {
  switch (part.type) {
    case "text":
      return isSaid(part, own) ? { type: "text", text: sendableText(part.text), ...options(part, own) } : null
    case "reasoning":
      if (!own || (part.text === "" && part.providerMetadata === undefined)) return null
      return { type: "reasoning", text: sendableText(part.text), ...options(part, own) }
    case "tool":
      return {
        type: "tool-call",
        ...named(part),
        input: isRecord(part.state.input) ? sendableJson(part.state.input) : {},
        ...options(part, own),
      }
    default:
      return null
  }
}

/** Providers refuse white space as a text; Google puts a signature on an empty one and wants it back. */
function isSaid({ text, providerMetadata = {} }: TextPart, own: boolean): boolean {
  if (text.trim() !== "") return true
  return own && Object.values(providerMetadata).some((metadata) => typeof metadata.thoughtSignature === "string")
}

/** Without the reasoning after which nothing was said or called: providers refuse to take it alone. */
function withoutLooseReasoning(content: Content): Content {
  return content.slice(0, content.findLastIndex(({ type }) => type !== "reasoning") + 1)
}

function named(part: ToolPart): { toolCallId: string; toolName: string } {
  return { toolCallId: sendableCallID(part.callID), toolName: sendableToolName(part.tool) }
}

function resultOf(part: ToolPart): LanguageModelV4ToolResultPart {
  return { type: "tool-result", ...named(part), output: outputOf(part) }
}

function outputOf({ state }: ToolPart): LanguageModelV4ToolResultPart["output"] {
  switch (state.status) {
    case "completed":
      return { type: "text", value: state.time.compacted === undefined ? shown(state.output) : cleared }
    case "error":
      return { type: "error-text", value: shown(state.error) }
    case "pending":
    case "running":
      return { type: "error-text", value: interrupted }
  }
}

/** Some providers refuse an empty result. */
function shown(output: string): string {
  return output.trim() === "" ? silent : sendableText(output)
}

function options(
  { providerMetadata }: TextPart | ReasoningPart | ToolPart,
  own: boolean,
): { providerOptions?: SharedV4ProviderOptions } {
  if (providerMetadata === undefined || !own) return {}
  // Stored as JSON, so it is the JSON object that the provider gave.
  return { providerOptions: providerMetadata as SharedV4ProviderOptions }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
