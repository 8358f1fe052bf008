import { inlineCommandVerbs } from "./inline-command-verbs.ts"

/** A command at the beginning of a prompt, and what follows its name. */
export interface Slash {
  name: string
  typed: string
  /** The name contains a slash, so it may also be a path at the beginning of a sentence. */
  mayBePath: boolean
}

/** The command that a prompt begins with; null for an inline command and for text, such as a `/` behind a space. */
export function readSlash(text: string): Slash | null {
  const [, name, typed = ""] = /^\/([^\s/]\S*)(?:\s+([\s\S]*))?$/.exec(text.trimEnd()) ?? []
  if (name === undefined || inlineCommandVerbs.some((verb) => verb === name)) return null
  return { name: name.normalize("NFC"), typed, mayBePath: name.includes("/") }
}
