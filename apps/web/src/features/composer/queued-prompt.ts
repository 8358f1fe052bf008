import type { Turn } from "@docket/core/schema"
import { holdsPrompt, promptText, type RestoredPrompt, restoredPrompt } from "../undo/restored-prompt.ts"

/** More than a line holds (UTF-16 units). */
const shownText = 300

/** How a prompt that waits begins; what it brings, when it says nothing. */
export function queuedText({ input }: Pick<Turn, "input">): string {
  const text = promptText(input.parts).slice(0, shownText)
  if (text !== "") return text
  return input.parts.flatMap((part) => (part.type === "file" ? (part.filename ?? "a file") : [])).join(", ")
}

/** What a person wrote and attached in prompts that wait, as one to be edited and sent again; null when nobody did. */
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
