import type { PromptCommand } from "@docket/core/schema"
import type { SlashNames } from "./slash.ts"

/** A command in the suggestion list for `/`. */
export interface SlashEntry {
  name: string
  /** The arguments to type after the name; empty for none. */
  usage: string
  description: string
  /** The command's owner; null for built-in commands. */
  origin: "yours" | "project" | null
  /** Why the command is not available now; null when it is. */
  unavailable: string | null
}

/**
 * The most used built-in commands. The other built-in ones are listed after the commands of the user and the project.
 */
const common = ["plan", "review", "compact", "undo", "new", "init"]

/** The commands that match the typed text, best match first; all commands for an empty text. */
export function slashEntries({ page, prompt }: SlashNames, typed: string): SlashEntry[] {
  const pages = page.map(({ slash, label, hint, unavailable }): SlashEntry => {
    const more = unavailable ?? hint
    const description = more === undefined ? label : `${label} · ${more}`
    return { name: slash, usage: "", description, origin: null, unavailable: unavailable ?? null }
  })
  const taken = new Set(pages.map(({ name }) => name))
  const prompts = prompt.filter(({ name }) => !taken.has(name)).map(promptEntry)
  const needle = typed.normalize("NFC").toLowerCase()
  return [...pages, ...prompts]
    .map((entry) => ({ entry, score: score(entry, needle), rank: rank(entry) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (a.score ?? 0) - (b.score ?? 0) || a.rank - b.rank || (a.entry.name < b.entry.name ? -1 : 1))
    .map(({ entry }) => entry)
}

function promptEntry({ name, hint, description, origin }: PromptCommand): SlashEntry {
  const ownerOf = { docket: null, user: "yours", project: "project" } as const
  return { name, usage: hint ?? "", description, origin: ownerOf[origin], unavailable: null }
}

function rank({ name, origin, unavailable }: SlashEntry): number {
  const at = common.indexOf(name)
  if (origin !== null) return common.length
  // Unavailable commands are last.
  if (unavailable !== null) return common.length + 2
  return at === -1 ? common.length + 1 : at
}

/** Lower is better, null is no match. Order: prefix, prefix of a word, substring, letters in order, description. */
function score({ name, description }: SlashEntry, needle: string): number | null {
  const own = name.toLowerCase()
  if (own.startsWith(needle)) return 0
  if (own.split(/[/_.:-]/).some((word) => word.startsWith(needle))) return 1
  if (own.includes(needle)) return 2
  // One or two letters would be found in nearly every name and description.
  if (needle.length < 3) return null
  if (holdsInOrder(own, needle)) return 3
  return description.toLowerCase().includes(needle) ? 4 : null
}

function holdsInOrder(text: string, letters: string): boolean {
  let at = -1
  return [...letters].every((letter) => {
    at = text.indexOf(letter, at + 1)
    return at !== -1
  })
}
