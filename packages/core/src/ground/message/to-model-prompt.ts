import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider"
import type {
  AssistantMessage,
  FilePart,
  MessageWithParts,
  ModelRef,
  Part,
  ReasoningPart,
  TextPart,
  ToolPart,
} from "../schema/index.ts"
import { type FileTarget, fileContent, madeFileContent, toolFileContent } from "./file-content.ts"
import { type ModelInputs, modelInputs } from "./model-inputs.ts"
import { sendableJson, sendableText } from "./sendable-text.ts"

export interface PromptTarget extends FileTarget {
  model: ModelRef
}

/**
 * Converts a transcript for a model. Failed answers are left out unless the user stopped them after some text, or the
 * output limit cut them. Each tool call has one result and a unique id. Reasoning and provider metadata go only to the
 * model that wrote them. No text is empty.
 */
export function toModelPrompt(
  transcript: MessageWithParts[],
  model: ModelRef,
  { inputs = anyFiles, texts = noTexts }: Partial<FileTarget> = {},
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = []
  const seen = new Set<string>()
  for (const message of transcript) {
    const { converted, partIDs } = convertMessage(message, { model, inputs, texts })
    for (const unique of uniqueCallIDs(converted, partIDs, seen)) prompt.push(unique)
  }
  return prompt
}

const noTexts: ReadonlyMap<string, string> = new Map()
const anyFiles = modelInputs("", ["image", "pdf", "audio", "video"], {})

interface Converted {
  converted: LanguageModelV4Message[]
  /** The parts behind the tool calls, in their order. */
  partIDs: string[]
}

/** Converts one message alone, so ids of its calls may repeat ids of earlier calls. */
export function convertMessage({ info, parts }: MessageWithParts, target: PromptTarget): Converted {
  if (info.role === "user") return { converted: userMessages(parts, target), partIDs: [] }
  if (info.forCommand) return { converted: [], partIDs: [] }
  // A summary that failed or was interrupted stands for nothing.
  if (info.summary) return { converted: info.error === null ? summaryMessages(parts) : [], partIDs: [] }
  const { content, results, partIDs } = assistantContent(info, parts, target)
  const converted: LanguageModelV4Message[] = []
  if (content.length > 0) converted.push({ role: "assistant", content })
  if (results.length > 0) converted.push({ role: "tool", content: results })
  const files = withoutBatched(parts).flatMap((part) => returnedFiles(part, target))
  if (results.length > 0 && files.length > 0) converted.push({ role: "user", content: files })
  return { converted, partIDs }
}

/**
 * The files that a call returned. They follow the results in a user message, because not every provider takes files in
 * results.
 */
function returnedFiles(part: Part, target: FileTarget): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (part.type !== "tool" || part.state.status !== "completed" || part.state.time.compacted !== undefined) return []
  const { attachments = [], title } = part.state
  if (attachments.length === 0) return []
  const lead = { type: "text" as const, text: sendableText(`What ${part.tool} returned (${title}):`) }
  return [lead, ...attachments.map((file) => toolFileContent(file, target))]
}

function userMessages(parts: Part[], target: FileTarget): LanguageModelV4Message[] {
  const content = parts.flatMap((part) => userContent(part, target) ?? [])
  return content.length === 0 ? [] : [{ role: "user", content }]
}

function userContent(part: Part, target: FileTarget): LanguageModelV4TextPart | LanguageModelV4FilePart | null {
  switch (part.type) {
    case "text":
      // This notice tells people what the model's window cannot hold, so it is not for the model.
      return part.notice?.kind === "window" ? null : text(part.text)
    case "file":
      return fileContent(part, target)
    case "subtask":
      return text(`The user asked the subagent ${part.agent} to do this: ${part.prompt}`)
    case "agent":
      return text(
        `The user mentioned the agent ${part.name}: call the task tool with subagent_type "${part.name}" for what they ask of it.`,
      )
    default:
      return null
  }
}

function summaryMessages(parts: Part[]): LanguageModelV4Message[] {
  const summary = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  const content = text(`Summary of the conversation so far:\n\n${summary}`)
  return content === null ? [] : [{ role: "user", content: [content] }]
}

/** Null for white space: providers refuse it as a text. */
function text(value: string): LanguageModelV4TextPart | null {
  return value.trim() === "" ? null : { type: "text", text: sendableText(value) }
}

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

/** An answer as the model gets it back. A failed one is left out; one that was stopped or cut keeps what it had. */
function assistantContent(info: AssistantMessage, parts: Part[], target: PromptTarget): AnswerContent {
  const stopped = info.error?.name === "AbortedError" || info.error?.name === "InterruptedError"
  const keepsContent = info.error === null || stopped || info.finish === "length"
  if (!keepsContent) return { content: [], results: [], partIDs: [] }
  // Reasoning and provider metadata go back only to the model that wrote them, and only from whole answers.
  const own = isSame(info.model, target.model) && (!stopped || isWhole(parts))
  const told = withoutBatched(parts)
  const calls = told.filter((part) => part.type === "tool")
  return {
    content: withoutLooseReasoning(told.flatMap((part) => contentOf(part, own, target.inputs) ?? [])),
    results: calls.map(resultOf),
    partIDs: calls.map(({ id }) => id),
  }
}

/** Without the calls whose results the model reads in that of their batch: the model did not make them one by one. */
function withoutBatched(parts: Part[]): Part[] {
  if (!parts.some((part) => part.type === "tool" && part.batchID !== undefined)) return parts
  const complete = new Set(
    parts.flatMap((part) => (part.type === "tool" && part.state.status === "completed" ? [part.id] : [])),
  )
  return parts.filter((part) => part.type !== "tool" || part.batchID === undefined || !complete.has(part.batchID))
}

function isSame(a: ModelRef, b: ModelRef): boolean {
  return a.providerID === b.providerID && a.modelID === b.modelID
}

/**
 * Whether the answer was completed, even if its calls were not. The provider metadata of an incomplete answer can name
 * things that the provider did not store, and incomplete signatures.
 */
function isWhole(parts: Part[]): boolean {
  return parts.some((part) => part.type === "step-finish")
}

function contentOf(part: Part, own: boolean, inputs: ModelInputs): Content[number] | null {
  switch (part.type) {
    case "file": {
      const content = madeFileContent(part, { inputs, own })
      return content?.type === "file" ? { ...content, ...options(part, own) } : content
    }
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
      return { type: "error-text", value: state.time.compacted === undefined ? shown(state.error) : cleared }
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
  { providerMetadata }: TextPart | ReasoningPart | ToolPart | FilePart,
  own: boolean,
): { providerOptions?: SharedV4ProviderOptions } {
  if (providerMetadata === undefined || !own) return {}
  // Stored as JSON, so it is the JSON object that the provider gave.
  return { providerOptions: providerMetadata as SharedV4ProviderOptions }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/**
 * Longest id or name of a call that all providers take (OpenAI's limit; Anthropic and Google allow as much or more).
 */
const maxLength = 64

/** The id of a call as providers accept it: letters, digits, `_` and `-`. Usually the one that the provider gave. */
function sendableCallID(callID: string): string {
  return callID.replace(/[^\w-]/g, "_").slice(0, maxLength) || "call"
}

/** The name of a tool as providers accept it; models call tools that do not exist by any name. */
function sendableToolName(name: string): string {
  const plain = name.replace(/[^\w-]/g, "_").slice(0, maxLength)
  // Google wants a letter or `_` first.
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, maxLength)
}

/**
 * An answer and its results with ids that no call before has. Weak models count their calls from the start in each
 * answer; such a call goes by the id of its part, which stays the same for ever.
 *
 * @param partIDs the parts behind the calls, in their order
 * @param seen ids of the calls so far; those of these calls are added
 */
export function uniqueCallIDs(
  messages: LanguageModelV4Message[],
  partIDs: string[],
  seen: Set<string>,
): LanguageModelV4Message[] {
  const calls = messages.flatMap(callIDsOf)
  const ids = calls.map((callID, index) => {
    const id = seen.has(callID) ? (partIDs[index] ?? callID) : callID
    seen.add(id)
    return id
  })
  if (ids.every((id, index) => id === calls[index])) return messages
  return messages.map((message) => renamed(message, ids))
}

export function callIDsOf(message: LanguageModelV4Message): string[] {
  if (message.role !== "assistant") return []
  return message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []))
}

/** A message with these ids in place of its own. Its calls, or its results, stand in the order of `ids`. */
function renamed(message: LanguageModelV4Message, ids: string[]): LanguageModelV4Message {
  let next = 0
  const withID = <T extends { toolCallId: string }>(part: T): T => ({
    ...part,
    toolCallId: ids[next++] ?? part.toolCallId,
  })
  if (message.role === "assistant") {
    return { ...message, content: message.content.map((part) => (part.type === "tool-call" ? withID(part) : part)) }
  }
  if (message.role !== "tool") return message
  return { ...message, content: message.content.map((part) => (part.type === "tool-result" ? withID(part) : part)) }
}
