import type { Part, Session, TextPart } from "../schema/index.ts"

/** ASCII letters in lower case; all others stay: databases agree on these alone. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Whether a text holds all words, ignoring ASCII case. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  const lower = asciiLower(text)
  return words.every((word) => lower.includes(asciiLower(word)))
}

/** Whether a part is what a person or a model wrote, and is neither archived nor undone. */
export function isSearched(part: Part, session: Session, root: Session): part is TextPart {
  if (part.type !== "text" || part.synthetic === true) return false
  if (session.time.archived !== null || root.time.archived !== null) return false
  // What its tasks did meanwhile in other sessions is undone with it: ids ascend.
  return !root.revert || part.messageID < root.revert.messageID
}
