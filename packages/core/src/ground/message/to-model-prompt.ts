import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
} from "@ai-sdk/provider"
import type { MessageWithParts, ModelRef, Part } from "../schema/index.ts"
import { assistantContent } from "./assistant-content.ts"
import { uniqueCallIDs } from "./call-ids.ts"
import { fileContent, toolFileContent } from "./file-content.ts"
import { type ModelInputs, modelInputs } from "./model-inputs.ts"
import { sendableText } from "./sendable-text.ts"

export interface PromptTarget {
  model: ModelRef
  inputs: ModelInputs
}

/**
 * What the model reads of a transcript. Failed answers are left out unless the user stopped them after some text, or the output limit cut them;
 * each tool call has one result and an id of its own; reasoning and provider metadata go back only to the model
 * that wrote them; no text is empty.
 */
export function toModelPrompt(
  transcript: MessageWithParts[],
  model: ModelRef,
  inputs: ModelInputs = anyFiles,
): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Message[] = []
  const seen = new Set<string>()
  for (const message of transcript) {
    const { converted, partIDs } = convertMessage(message, { model, inputs })
    for (const one of uniqueCallIDs(converted, partIDs, seen)) prompt.push(one)
  }
  return prompt
}

const anyFiles = modelInputs("", ["image", "pdf", "audio", "video"], {})

interface Converted {
  converted: LanguageModelV4Message[]
  /** The parts behind the tool calls, in their order. */
  partIDs: string[]
}

/** One message by itself: ids of its calls may be those of calls before it. */
export function convertMessage({ info, parts }: MessageWithParts, target: PromptTarget): Converted {
  if (info.role === "user") return { converted: userMessages(parts, target.inputs), partIDs: [] }
  if (info.forCommand) return { converted: [], partIDs: [] }
  // A summary that failed or was interrupted stands for nothing.
  if (info.summary) return { converted: info.error === null ? summaryMessages(parts) : [], partIDs: [] }
  const { content, results, partIDs } = assistantContent(info, parts, target.model)
  const converted: LanguageModelV4Message[] = []
  if (content.length > 0) converted.push({ role: "assistant", content })
  if (results.length > 0) converted.push({ role: "tool", content: results })
  const files = parts.flatMap((part) => returnedFiles(part, target.inputs))
  if (results.length > 0 && files.length > 0) converted.push({ role: "user", content: files })
  return { converted, partIDs }
}

/** What a call returned beside its text. It follows the results as the user's: not every provider takes files in these. */
function returnedFiles(part: Part, inputs: ModelInputs): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
  if (part.type !== "tool" || part.state.status !== "completed" || part.state.time.compacted !== undefined) return []
  const { attachments = [], title } = part.state
  if (attachments.length === 0) return []
  const lead = { type: "text" as const, text: sendableText(`What ${part.tool} returned (${title}):`) }
  return [lead, ...attachments.map((file) => toolFileContent(file, inputs))]
}

function userMessages(parts: Part[], inputs: ModelInputs): LanguageModelV4Message[] {
  const content = parts.flatMap((part) => userContent(part, inputs) ?? [])
  return content.length === 0 ? [] : [{ role: "user", content }]
}

function userContent(part: Part, inputs: ModelInputs): LanguageModelV4TextPart | LanguageModelV4FilePart | null {
  switch (part.type) {
    case "text":
      // What a model cannot read is said to people.
      return part.notice?.kind === "window" ? null : text(part.text)
    case "file":
      return fileContent(part, inputs)
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
