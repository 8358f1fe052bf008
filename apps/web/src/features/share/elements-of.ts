import type { MessageWithParts, Part } from "@docket/core/schema"
import { readChanges } from "../tools/read-file-change.ts"

/** Elements of an empty row: article, header, figures, link. */
const perRow = 14
/** Maximum number of diff lines on a public page. */
export const shownDiffLines = 30
const perDiffLine = 4
/** Average number of characters per element, measured on answers with code. */
const perElement = 24
const longestText = 6_000

/** Estimates how many elements a message has on a public page. */
export function elementsOf({ parts }: MessageWithParts): number {
  return parts.reduce((sum, part) => sum + partElements(part), perRow)
}

function partElements(part: Part): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return perRow + Math.ceil(Math.min(part.text.length, longestText) / perElement)
    case "tool": {
      const lines = readChanges(part).reduce((sum, { patch }) => sum + (patch?.split("\n").length ?? 0), 0)
      return perRow + Math.min(lines, shownDiffLines) * perDiffLine
    }
    default:
      return 0
  }
}
