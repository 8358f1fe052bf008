import type { LanguageModelV4Prompt } from "@ai-sdk/provider"
import { readKeptFile } from "./kept-file.ts"

/**
 * The size of what a model reads (UTF-16 units): all text, the arguments and outputs of calls, media as they are sent.
 */
export function promptUnits(prompt: LanguageModelV4Prompt): number {
  let units = 0
  for (const message of prompt) {
    if (message.role === "system") units += message.content.length
    else for (const part of message.content) units += partUnits(part)
  }
  return units
}

type Content = Exclude<LanguageModelV4Prompt[number], { role: "system" }>["content"][number]

function partUnits(part: Content): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return part.text.length
    case "tool-call":
      return JSON.stringify(part.input).length
    case "tool-result":
      return JSON.stringify(part.output).length
    case "file": {
      const kept = readKeptFile(part)
      // In base64, which makes four letters of three bytes.
      if (kept !== null) return Math.ceil(((kept.facts.size ?? 0) * 4) / 3)
      return "data" in part.data && typeof part.data.data === "string" ? part.data.data.length : 0
    }
    default:
      return 0
  }
}

/**
 * The size of what a summary could shorten (UTF-16 units): the texts and calls of the conversation. Not the
 * instructions, and not media, whose size tells nothing about their tokens.
 */
export function conversationTextUnits(prompt: LanguageModelV4Prompt): number {
  let units = 0
  for (const message of prompt) {
    if (message.role !== "system") for (const part of message.content) units += textUnits(part)
  }
  return units
}

function textUnits(part: Content): number {
  if (part.type === "file") return 0
  if (part.type !== "tool-result" || part.output.type !== "content") return partUnits(part)
  return part.output.value.reduce((sum, item) => sum + (item.type === "text" ? item.text.length : 0), 0)
}
