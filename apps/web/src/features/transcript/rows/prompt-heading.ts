import { readNotice } from "./read-notice.ts"
import type { Row } from "./row.ts"

/** A prompt's first words, as the heading of its turn. */
export function promptHeading(row: Extract<Row, { kind: "prompt" }>): string {
  const text = row.parts.find((part) => part.type === "text")
  const words =
    text?.type === "text"
      ? (row.synthetic ? readNotice(text.text).words : text.text).trim().replace(/\s+/g, " ").slice(0, 80)
      : "attachments"
  return `${row.synthetic ? "Note" : "Prompt"}: ${words}`
}
