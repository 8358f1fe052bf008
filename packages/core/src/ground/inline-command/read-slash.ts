import { inlineCommandVerbs } from "./inline-command-verbs.ts"

/** A command at the beginning of a prompt, and what follows its name. */
export interface Slash {
  name: string
  typed: string
  /** The name holds a slash, so it may as well be a path that begins a sentence. */
  mayBePath: boolean
}

/** The command that a prompt begins with. Null for an inline command, and for text, also after a leading space. */
export function readSlash(text: string): Slash | null {
  const [, name, typed = ""] = /^\/([^\s/]\S*)(?:\s+([\s\S]*))?$/.exec(text.trimEnd()) ?? []
  if (name === undefined || inlineCommandVerbs.some((verb) => verb === name)) return null
  return { name: name.normalize("NFC"), typed, mayBePath: name.includes("/") }
}
