import type { PromptPart, Turn } from "@docket/core/schema"
import { holdsPrompt, promptText, type RestoredPrompt, restoredPrompt } from "../undo/restored-prompt.ts"

/** Longer text does not fit on a line (UTF-16 units). */
const shownText = 300

/** The beginning of a queued prompt; for a prompt without text, the names of its files. */
export function queuedText({ input }: Pick<Turn, "input">): string {
  const text = promptText(input.parts).slice(0, shownText)
  if (text !== "") return text
  return input.parts.flatMap((part) => (part.type === "file" ? (part.filename ?? "a file") : [])).join(", ")
}

/** The text of a queued prompt to edit; null for a command or a delegation, whose words are more than text. */
export function editableText({ input }: Pick<Turn, "input">): string | null {
  const isMore = input.parts.some(({ type }) => type === "command" || type === "subtask")
  const text = promptText(input.parts)
  return isMore || text === "" ? null : text
}

/** The parts of a queued prompt with another text. Its files, mentions and what a client added stay. */
export function editedParts({ input }: Pick<Turn, "input">, text: string): PromptPart[] {
  const others = input.parts.filter((part) => part.type !== "text" || part.synthetic === true)
  return [{ type: "text", text }, ...others]
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
