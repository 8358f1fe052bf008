import { structuredPatch } from "diff/lib/patch/create.js"
import { numberedLines } from "./numbered-lines.ts"

/** Milliseconds after which an expensive comparison is given up. */
const maxTime = 200

/** What the model is told when a formatter changed its text: the lines as they are now. */
export function describeFormatting(
  formatter: string,
  name: string,
  texts: { text: string; formatted: string },
): string {
  const head = `${formatter} formatted ${name} before it was written.`
  const patch = structuredPatch("", "", texts.text, texts.formatted, "", "", { context: 0, timeout: maxTime })
  const readIt = "Read it before you change it again."
  if (patch === undefined) return `${head} ${readIt}`
  const { shown, isWhole } = numberedLines(
    texts.formatted,
    patch.hunks.map(({ newStart, newLines }) => ({
      first: newStart - 1,
      last: newStart - 1 + Math.max(0, newLines - 1),
    })),
  )
  return `${head} There it is now:\n${shown}${isWhole ? "" : `\nMore lines changed. ${readIt}`}`
}
