import { noticeOf } from "@docket/core/message"
import type { Part, TextPart } from "@docket/core/schema"
import { fileLabel } from "./file-label.ts"
import { addedMessage, noticeMessage, resultsLabel } from "./notice-messages.ts"
import type { Row } from "./row.ts"

type PromptRow = Extract<Row, { kind: "prompt" }>

/** A prompt's first words, as the heading of its turn. */
export function promptHeading(row: PromptRow): string {
  const text = row.parts.find((part) => part.type === "text")
  const kind = !row.synthetic ? "Prompt" : text?.type === "text" ? noteKind(text) : "Note"
  return `${kind}: ${promptExcerpt(row)}`
}

/** A prompt's first words, on one line. */
export function promptExcerpt(row: PromptRow): string {
  const text = row.parts.find((part) => part.type === "text")
  const words = text?.type === "text" ? (row.synthetic ? noteText(text) : text.text) : partNames(row.parts)
  return words.slice(0, 2_000).trim().replace(/\s+/g, " ").slice(0, 80)
}

/** The kind of an added text: "Message from @build", or "Note" for one of Docket or of a client. */
function noteKind(part: TextPart): string {
  return noticeOf(part)?.kind === "message" ? addedMessage(part) : "Note"
}

/** A text from Docket to the model, in words for users. */
function noteText(part: TextPart): string {
  return resultsLabel(part) ?? noticeMessage(part)
}

/** Describes a prompt without text: its subtasks, mentions and files. */
function partNames(parts: readonly Part[]): string {
  const words = parts.flatMap((part) => {
    if (part.type === "subtask") return `@${part.agent} ${part.prompt}`
    if (part.type === "agent") return `@${part.name}`
    return part.type === "file" ? fileLabel(part) : []
  })
  return words.length === 0 ? "attachments" : words.join(", ")
}
