import { statSync } from "node:fs"
import path from "node:path"
import type { FormatterConfig } from "@docket/core/schema"
import { isWithin } from "./find-program.ts"
import { type FormatterDefinition, formatterDefinitions, markerText } from "./formatter-definitions.ts"

/** The one formatter of a file. */
export interface ChosenFormatter {
  id: string
  /** The directory that chooses it. */
  root: string
  /** Null for one that docket.json brings. */
  definition: FormatterDefinition | null
  /** The command of the configuration; null for the program of the definition. */
  command: readonly string[] | null
  env: Readonly<Record<string, string>>
  /** Changes with the file that chooses it. */
  stamp: string
}

/**
 * The formatter of a file: one that docket.json brings for its ending, else the one that the nearest directory with a
 * configuration chooses. Null for none.
 */
export function chooseFormatter(
  settings: FormatterConfig | undefined,
  worktree: string,
  file: string,
): ChosenFormatter | null {
  if (settings === false) return null
  const entries = typeof settings === "object" ? settings : {}
  const extension = path.extname(file).toLowerCase()
  const known = new Set(formatterDefinitions.map(({ id }) => id))
  for (const [id, { command, extensions = [], environment = {}, disabled }] of Object.entries(entries)) {
    if (known.has(id) || disabled || command === undefined || !extensions.some(isExtension(extension))) continue
    return { id, root: worktree, definition: null, command, env: environment, stamp: "" }
  }
  const candidates = formatterDefinitions.filter((definition) => {
    const { disabled = false, extensions } = entries[definition.id] ?? {}
    return !disabled && (extensions ?? definition.extensions).some(isExtension(extension))
  })
  if (candidates.length === 0) return null
  for (let at = path.dirname(file); isWithin(worktree, at); at = path.dirname(at)) {
    for (const definition of candidates) {
      const stamp = markerIn(at, definition)
      if (stamp === null) continue
      const { command = null, environment } = entries[definition.id] ?? {}
      const env = { ...definition.env, ...environment }
      return { id: definition.id, root: at, definition, command, env, stamp }
    }
    if (at === worktree) break
  }
  return null
}

function isExtension(extension: string): (named: string) => boolean {
  return (named) => (named.startsWith(".") ? named : `.${named}`).toLowerCase() === extension
}

/** The stamp of the file in a directory that chooses a formatter; null when none does. */
function markerIn(directory: string, { markers }: FormatterDefinition): string | null {
  for (const { name, chooses } of markers) {
    const file = path.join(directory, name)
    const facts = statSync(file, { throwIfNoEntry: false })
    if (facts?.isFile() !== true) continue
    const text = chooses === undefined ? null : markerText(file)
    if (chooses === undefined || (text !== null && chooses(text))) return `${file} ${facts.mtimeMs} ${facts.size}`
  }
  return null
}
