import type { MessageWithParts, Part } from "@docket/core/schema"
import { readFileChange } from "../tools/read-file-change.ts"

/** What a row costs before it says anything: article, header, figures, link. */
const perRow = 14
/** Lines of a diff that a public page shows. */
export const shownDiffLines = 30
const perDiffLine = 4
/** Paragraphs, marks and coloured words: measured on answers with code (characters to one element). */
const perElement = 24
const longestText = 6_000

/** About how many elements a message makes on a public page. */
export function elementsOf({ parts }: MessageWithParts): number {
  return parts.reduce((sum, part) => sum + partElements(part), perRow)
}

function partElements(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return perRow + Math.ceil(Math.min(part.text.length, longestText) / perElement)
    case "tool": {
      const lines = readFileChange(part)?.patch?.split("\n").length ?? 0
      return perRow + Math.min(lines, shownDiffLines) * perDiffLine
    }
    default:
      return 0
  }
}
