import type { Turn } from "@docket/core/schema"
import { holdsPrompt, promptText, type RestoredPrompt, restoredPrompt } from "../undo/restored-prompt.ts"

/** Longer text does not fit on a line (UTF-16 units). */
const shownText = 300

/** The beginning of a queued prompt; for a prompt without text, the names of its files. */
export function queuedText({ input }: Pick<Turn, "input">): string {
  const text = promptText(input.parts).slice(0, shownText)
  if (text !== "") return text
  return input.parts.flatMap((part) => (part.type === "file" ? (part.filename ?? "a file") : [])).join(", ")
}

/** Merges the text and files of withdrawn prompts into one prompt to edit; null when they contain nothing. */
export function takenBack(turns: readonly Pick<Turn, "input">[]): RestoredPrompt | null {
  const prompts = turns.map(({ input }) => restoredPrompt(input.parts)).filter(holdsPrompt)
  if (prompts.length === 0) return null
  return {
    put: prompts.flatMap(({ put }) => (put === "" ? [] : put)).join("\n"),
    take: "",
    files: prompts.flatMap(({ files }) => files),
    attach: prompts.flatMap(({ attach }) => attach),
    detach: [],
  }
}
