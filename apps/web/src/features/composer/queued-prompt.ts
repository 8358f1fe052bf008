import type { PromptPart, Turn } from "@docket/core/schema"
import type { RestoredPrompt } from "../undo/restored-prompt.ts"

/** What a prompt that waits says. */
export function queuedText({ input }: Pick<Turn, "input">): string {
  return textOf(input.parts)
}

function textOf(parts: readonly PromptPart[]): string {
  const words = (part: PromptPart) => (part.type === "subtask" ? [`/agent ${part.agent} ${part.prompt}`] : [])
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : words(part))).join("\n")
}

/** What a person wrote in prompts that wait, as one to be edited and sent again; null when nobody wrote any. */
export function takenBack(turns: readonly Pick<Turn, "input">[]): RestoredPrompt | null {
  const prompts = turns.map(({ input }) => input.parts.filter((part) => part.type !== "text" || !part.synthetic))
  const texts = prompts.map(textOf).filter((text) => text !== "")
  if (texts.length === 0) return null
  const files = prompts.flat().flatMap((part) => (part.type === "file" && part.filename ? [part.filename] : []))
  return { put: texts.join("\n"), take: "", files }
}
