import { structuredPatch } from "diff/lib/patch/create.js"
import { numberedLines, type Stretch } from "./numbered-lines.ts"

/** Milliseconds after which an expensive comparison is given up. */
const maxTime = 200

/** What the model is told when a formatter changed its text: the lines as they are now. */
export function describeFormatting(
  formatter: string,
  name: string,
  texts: { text: string; formatted: string },
): string {
  const { shown, isWhole } = numberedLines(texts.formatted, changedStretches(texts))
  const rest = isWhole ? "" : "\nMore lines changed. Read it before you change it again."
  return `${formatter} formatted ${name} before it was written. There it is now:\n${shown}${rest}`
}

/** The lines of the formatted text that are other; all from the first to the last one where comparing takes too long. */
function changedStretches({ text, formatted }: { text: string; formatted: string }): Stretch[] {
  const patch = structuredPatch("", "", text, formatted, "", "", { context: 0, timeout: maxTime })
  if (patch !== undefined) {
    return patch.hunks.map(({ newStart, newLines }) => {
      const first = newStart - 1
      return { first, last: first + Math.max(0, newLines - 1) }
    })
  }
  const [old, now] = [text.split("\n"), formatted.split("\n")]
  const first = now.findIndex((line, at) => line !== old[at])
  const after = now.findLastIndex((line, at) => line !== old[at - now.length + old.length])
  return [{ first, last: Math.max(first, after) }]
}
