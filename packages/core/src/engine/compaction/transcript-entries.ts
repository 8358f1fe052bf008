import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider"
import { userEntry } from "../../ground/message/user-entry.ts"
import { shorten } from "./shorten.ts"

/** Longest arguments or output of a tool call (UTF-16 units): what a summary needs is in its head or its tail. */
const maxToolUnits = 4_000

/**
 * What a model read, as text: an entry for each part, in order. Long calls and outputs are shortened, media are named,
 * reasoning is left out. Lines of tool outputs are quoted, so that none can pass for somebody's words.
 */
export function transcriptEntries(prompt: LanguageModelV4Prompt): string[] {
  return prompt.flatMap(messageEntries)
}

function messageEntries(message: LanguageModelV4Message): string[] {
  switch (message.role) {
    case "system":
      return []
    case "user":
      return message.content.map((part) => (part.type === "text" ? userEntry(part.text) : fileEntry(part)))
    case "assistant":
      return message.content.flatMap((part) => {
        if (part.type === "text") return [`[assistant]\n${part.text}`]
        if (part.type !== "tool-call") return []
        return [`[assistant calls ${part.toolName}]\n${shorten(JSON.stringify(part.input), maxToolUnits)}`]
      })
    case "tool":
      return message.content.flatMap((part) =>
        part.type === "tool-result" ? [`[result of ${part.toolName}]\n${quote(outputText(part.output))}`] : [],
      )
  }
}

function fileEntry({ mediaType, filename }: LanguageModelV4FilePart): string {
  const name = filename === undefined ? "" : `: ${filename}`
  return `[the user attached ${mediaType}${name}; it cannot be seen any more]`
}

function outputText(output: LanguageModelV4ToolResultOutput): string {
  const text = "value" in output ? output.value : (output.reason ?? "")
  return typeof text === "string" ? text : JSON.stringify(text)
}

function quote(text: string): string {
  return shorten(text, maxToolUnits).replace(/^/gm, "> ")
}
