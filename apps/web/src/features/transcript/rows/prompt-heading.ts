import type { Part } from "@docket/core/schema"
import { readWritResults } from "@docket/core/writ"
import { fileLabel } from "./file-label.ts"
import { readNotice } from "./read-notice.ts"
import type { Row } from "./row.ts"

/** A prompt's first words, as the heading of its turn. */
export function promptHeading(row: Extract<Row, { kind: "prompt" }>): string {
  const text = row.parts.find((part) => part.type === "text")
  const words = text?.type === "text" ? (row.synthetic ? noteWords(text.text) : text.text) : partWords(row.parts)
  return `${row.synthetic ? "Note" : "Prompt"}: ${words.trim().replace(/\s+/g, " ").slice(0, 80)}`
}

/** What Docket told a model, in words for people. */
function noteWords(text: string): string {
  return resultsLabel(text) ?? readNotice(text).words
}

/** The name of results of commands, e.g. "results of /todo list"; null for any other text. */
export function resultsLabel(text: string): string | null {
  const results = readWritResults(text)
  if (results === null) return null
  const commands = results.flatMap(({ command }) => command ?? [])
  return commands.length === 0 ? "results of commands" : `results of ${commands.join(", ")}`
}

/** A prompt without text: what is delegated, who is mentioned, which files. */
function partWords(parts: readonly Part[]): string {
  const words = parts.flatMap((part) => {
    if (part.type === "subtask") return `@${part.agent} ${part.prompt}`
    if (part.type === "agent") return `@${part.name}`
    return part.type === "file" ? fileLabel(part) : []
  })
  return words.length === 0 ? "attachments" : words.join(", ")
}
