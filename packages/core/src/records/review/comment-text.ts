import { DocketError } from "../../ground/error/docket-error.ts"

/** Most UTF-16 units of a comment; longer text belongs in a file. */
export const maxComment = 20_000
/** Most names that a comment may mention. */
const maxMentions = 50

/** A visible character: not a space, control or format character, variation selector or filler. */
const visible = /[^\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u

/** The text of a comment or a reason, trimmed. @throws invalid_input when it is empty or too long */
export function commentText(text: string, what = "comment"): string {
  const trimmed = text.trim()
  if (!visible.test(trimmed)) throw new DocketError("invalid_input", `The ${what} is empty. Write what is to be said.`)
  return boundedText(trimmed, what)
}

/** @throws invalid_input when it is too long */
export function boundedText(text: string, what: string): string {
  if (text.length <= maxComment) return text
  throw new DocketError(
    "invalid_input",
    `The ${what} has ${text.length} characters and the most is ${maxComment}. Put the long part into a file and name it.`,
  )
}

/** The names after an `@` in Markdown, each once; code and e-mail addresses are ignored. */
export function mentionsOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, " ")
  const names = [...prose.matchAll(/(?<![\p{L}\p{N}_@./-])@([\p{L}\p{N}](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?)/gu)]
  return [...new Set(names.map(([, name = ""]) => name))].slice(0, maxMentions)
}
