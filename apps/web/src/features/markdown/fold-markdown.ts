import { type FoldedText, foldText, type ShownLines } from "../../ui/fold-text.ts"
import { fence } from "./split-blocks.ts"

/**
 * The beginning and the end of a long Markdown text, each of which renders by itself: code that was cut continues as
 * code.
 */
export function foldMarkdown(text: string, shown: ShownLines): FoldedText | null {
  const folded = foldText(text, shown)
  if (folded === null || folded.tail === "") return folded
  const open = openFence(text.slice(0, folded.tailAt))
  return open === null ? folded : { ...folded, tail: `${open}\n${folded.tail}` }
}

/** The line that opened the code block in which the text ends; null when it ends outside of code. */
function openFence(text: string): string | null {
  if (!text.includes("```") && !text.includes("~~~")) return null
  let open: { fenceSigns: string; line: string } | null = null
  for (const line of text.split("\n")) {
    const fenceSigns = fence.exec(line)?.[1]
    if (fenceSigns === undefined) continue
    if (open === null) open = { fenceSigns, line }
    else if (fenceSigns.startsWith(open.fenceSigns) && line.trim() === fenceSigns) open = null
  }
  return open?.line ?? null
}
