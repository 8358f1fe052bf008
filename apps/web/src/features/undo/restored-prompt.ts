import type { Part } from "@docket/core/schema"

/** What the prompt field is to hold after an undo or a redo. */
export interface RestoredPrompt {
  /** Goes before what a person has begun to write. */
  put: string
  /** Goes when the field still holds exactly this. */
  take: string
  /** Files that the text mentions. */
  files: string[]
}

/** The prompt that a person wrote, to be edited and sent again. */
export function restoredPrompt(parts: readonly Part[]): RestoredPrompt {
  const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  const files = parts.flatMap((part) => (part.type === "file" && part.filename ? [part.filename] : []))
  return { put: texts.join("\n"), take: "", files }
}

/** The text of the field with the restored prompt in it. */
export function withRestored(text: string, { put, take }: RestoredPrompt): string {
  if (text === "" || text === take || text === put) return put
  return put === "" ? text : `${put}\n${text}`
}
