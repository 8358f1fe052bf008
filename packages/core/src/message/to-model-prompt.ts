import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider"
import type { AssistantMessage, MessageWithParts, ModelRef, Part, ToolPart, UserMessage } from "../schema/index.ts"

const cleared = "[Old tool result content cleared]"
const interrupted = "[The tool call was interrupted]"

/**
 * What the model reads of a transcript. Failed answers are left out unless the user stopped them after
 * some text; tool calls without a result get one, so that every call is answered; reasoning goes back
 * only to the model that wrote it.
 */
export function toModelPrompt(transcript: MessageWithParts[], model: ModelRef): LanguageModelV4Prompt {
  const key = `${model.providerID}/${model.modelID}`
  const prompt: LanguageModelV4Message[] = []
  // Loops and one key for all: a long transcript passes here at each step.
  for (const message of transcript) for (const one of convertCached(message, model, key)) prompt.push(one)
  return prompt
}

// A message that did not change converts to the same prompt, and transcripts are sent whole at each step.
const converted = new WeakMap<MessageWithParts, { model: string; prompt: LanguageModelV4Message[] }>()

function convertCached(message: MessageWithParts, model: ModelRef, key: string): LanguageModelV4Message[] {
  const known = converted.get(message)
  if (known?.model === key) return known.prompt
  const { info, parts } = message
  const prompt = info.role === "user" ? fromUser(info, parts) : fromAssistant(info, parts, model)
  converted.set(message, { model: key, prompt })
  return prompt
}

function fromUser(info: UserMessage, parts: Part[]): LanguageModelV4Message[] {
  const content: (LanguageModelV4TextPart | LanguageModelV4FilePart)[] = []
  for (const part of parts) {
    if (part.type === "text" && part.text !== "") content.push({ type: "text", text: part.text })
    if (part.type === "file" && part.url.startsWith("data:")) content.push(filePart(part))
    if (part.type === "subtask") {
      content.push({ type: "text", text: `The user asked the subagent ${part.agent} to do this: ${part.prompt}` })
    }
    if (part.type === "agent") {
      content.push({
        type: "text",
        text: `The user mentioned the agent ${part.name}: call the task tool with subagent_type "${part.name}" for what they ask of it.`,
      })
    }
  }
  if (info.system !== undefined) content.push({ type: "text", text: info.system })
  return content.length === 0 ? [] : [{ role: "user", content }]
}

function filePart(part: { url: string; mime: string; filename?: string | undefined }): LanguageModelV4FilePart {
  const data = part.url.slice(part.url.indexOf(",") + 1)
  return {
    type: "file",
    mediaType: part.mime,
    data: { type: "data", data },
    ...(part.filename !== undefined && { filename: part.filename }),
  }
}

function fromAssistant(info: AssistantMessage, parts: Part[], model: ModelRef): LanguageModelV4Message[] {
  if (info.summary) {
    const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
    return [{ role: "user", content: [{ type: "text", text: `Summary of the conversation so far:\n\n${text}` }] }]
  }
  const stopped = info.error?.name === "AbortedError" || info.error?.name === "InterruptedError"
  if (info.error !== null && !stopped) return []
  const sameModel = info.model.providerID === model.providerID && info.model.modelID === model.modelID
  const content: Extract<LanguageModelV4Message, { role: "assistant" }>["content"] = []
  const results: LanguageModelV4ToolResultPart[] = []
  for (const part of parts) {
    if (part.type === "text" && part.text.trim() !== "") {
      content.push({ type: "text", text: part.text, ...options(part.providerMetadata, sameModel) })
    }
    if (part.type === "reasoning" && sameModel && (part.text !== "" || part.providerMetadata !== undefined)) {
      content.push({ type: "reasoning", text: part.text, ...options(part.providerMetadata, true) })
    }
    if (part.type === "tool") {
      content.push({
        type: "tool-call",
        toolCallId: part.callID,
        toolName: part.tool,
        input: isRecord(part.state.input) ? part.state.input : {},
        ...options(part.providerMetadata, sameModel),
      })
      results.push({ type: "tool-result", toolCallId: part.callID, toolName: part.tool, output: toolOutput(part) })
    }
  }
  if (content.length === 0) return []
  const prompt: LanguageModelV4Message[] = [{ role: "assistant", content }]
  if (results.length > 0) prompt.push({ role: "tool", content: results })
  return prompt
}

function toolOutput(part: ToolPart): LanguageModelV4ToolResultPart["output"] {
  const { state } = part
  switch (state.status) {
    case "completed":
      return { type: "text", value: state.time.compacted === undefined ? state.output : cleared }
    case "error":
      return { type: "error-text", value: state.error }
    case "pending":
    case "running":
      return { type: "error-text", value: interrupted }
  }
}

function options(
  metadata: ToolPart["providerMetadata"],
  sameModel: boolean,
): { providerOptions?: SharedV4ProviderOptions } {
  if (metadata === undefined || !sameModel) return {}
  // Stored as JSON, so it is the JSON object that the provider gave.
  return { providerOptions: metadata as SharedV4ProviderOptions }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
