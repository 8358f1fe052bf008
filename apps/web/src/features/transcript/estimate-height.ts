import type { ToolPart } from "@docket/core/schema"
import { todoTools } from "@docket/core/tool-metadata"
import type { ShownLines } from "../../ui/fold-text.ts"
import { readFileChange } from "../tools/read-file-change.ts"
import { answerLines, besideLines } from "../tools/shown-lines.ts"
import { isTask, type Row } from "./rows/row.ts"
import { previewLines } from "./rows/shown-of.ts"

/** Characters in a line of prose at the column's width; measured rows replace the estimate. */
const lineLength = 96

/**
 * Estimated height of a row (px) until it is measured. A close estimate keeps the scroll bar from jumping. The numbers
 * are the usual heights of lines, headers and margins.
 */
export function estimateHeight(row: Row): number {
  switch (row.kind) {
    case "prompt":
      return 56 + 21 * row.parts.reduce((lines, part) => lines + (part.type === "text" ? promptLines(part) : 1), 0)
    case "part":
      if (isTask(row.part)) return 86
      if (row.part.type === "tool") return toolHeight(row.part)
      return row.part.type === "text" ? 20 + 21 * Math.min(lineCount(row.part.text), linesOf(answerLines)) : 32
    case "lanes":
      return 36 + 28 * (row.tasks.length + 1) + 62 * row.open.length
    case "error":
      return 96
    default:
      return 32
  }
}

function toolHeight(part: ToolPart): number {
  if (todoTools.includes(part.tool)) return 140
  const change = readFileChange(part)
  // A diff also has a header, and three context lines before and after the change.
  if (change !== null) return 40 + 18 * Math.min(previewLines + 1, change.additions + change.deletions + 7)
  return part.tool === "bash" ? 48 : 28
}

function promptLines({ text }: { text: string }): number {
  return Math.min(lineCount(text), linesOf(besideLines))
}

/** Number of lines of a folded text, including the line that says how much is folded. */
function linesOf({ head, tail }: ShownLines): number {
  return head + tail + 1
}

function lineCount(text: string): number {
  let lines = 0
  for (const line of text.slice(0, 20_000).split("\n")) lines += Math.max(1, Math.ceil(line.length / lineLength))
  return lines
}
