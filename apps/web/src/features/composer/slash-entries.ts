import type { PromptCommand } from "@docket/core/schema"
import type { SlashNames } from "./slash.ts"

/** A command as the list of `/` shows it. */
export interface SlashEntry {
  name: string
  /** What to type after it; empty for nothing. */
  usage: string
  description: string
  /** The owner; null for Docket's own. */
  origin: "yours" | "project" | null
  /** Why it cannot be done now. */
  unavailable: string | null
}

/** What people use most; the rest of Docket's own comes after what they and the project have written. */
const common = ["plan", "review", "compact", "undo", "new", "init"]

/** The commands that what was typed may mean, the likeliest first; all of them for nothing. */
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
  const whose = { docket: null, user: "yours", project: "project" } as const
  return { name, usage: hint ?? "", description, origin: whose[origin], unavailable: null }
}

function rank({ name, origin, unavailable }: SlashEntry): number {
  const at = common.indexOf(name)
  if (origin !== null) return common.length
  // What cannot be done now is last.
  if (unavailable !== null) return common.length + 2
  return at === -1 ? common.length + 1 : at
}

/** Lower is nearer; null for no match: the beginning, a word of it, a part of it, its letters in order, its description. */
function score({ name, description }: SlashEntry, needle: string): number | null {
  const own = name.toLowerCase()
  if (own.startsWith(needle)) return 0
  if (own.split(/[/_.:-]/).some((word) => word.startsWith(needle))) return 1
  if (own.includes(needle)) return 2
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
