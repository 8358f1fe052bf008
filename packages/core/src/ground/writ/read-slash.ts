import { writVerbs } from "./writ-verbs.ts"

/** A command at the beginning of a prompt, and what follows its name. */
export interface Slash {
  name: string
  typed: string
  /** It may as well be a path that begins a sentence. */
  mayBePath: boolean
}

/** The command that a prompt begins with; null for a writ, and for a text, as one that begins with a space is. */
export function readSlash(text: string): Slash | null {
  const [, name, typed = ""] = /^\/([^\s/]\S*)(?:\s+([\s\S]*))?$/.exec(text.trimEnd()) ?? []
  if (name === undefined || writVerbs.some((verb) => verb === name)) return null
  return { name: name.normalize("NFC"), typed, mayBePath: name.includes("/") }
}
