import type { ConfigFile, EffectiveValue } from "@docket/core"
import { visibleText } from "@docket/core/rule"

/** The values below one key of docket.json; `general` collects all keys with a single value. */
export interface ConfigSection {
  name: string
  values: EffectiveValue[]
}

/** Groups values by their first key, `general` first. Only values whose key, value or file contains the search text. */
export function configSections(values: readonly EffectiveValue[], filterText: string): ConfigSection[] {
  const needle = filterText.trim().toLowerCase()
  const matches = ({ path, value, from }: EffectiveValue) =>
    [path.join("."), value, from.layer === "default" ? "" : from.file].some((text) =>
      text.toLowerCase().includes(needle),
    )
  const sections = Map.groupBy(values.filter(matches), sectionOf)
  const listed = [...sections].map(([name, values]) => ({ name, values }))
  return [...listed.filter(({ name }) => name === general), ...listed.filter(({ name }) => name !== general)]
}

const general = "general"

const sectionOf = ({ path: [first = general, ...below] }: EffectiveValue) => (below.length > 0 ? first : general)

/** The key below the section, written with dots; the section's name for a single value. */
export function keyLabel({ path }: EffectiveValue): string {
  return visibleText(path.length > 1 ? path.slice(1).join(".") : (path[0] ?? ""))
}

/** Where a value comes from, with its line. Project files are shown relative to the project. */
export function originLabel(from: EffectiveValue["from"], projectDirectory: string | null): string {
  return from.layer === "default" ? "Docket’s default" : `${fileLabel(from, projectDirectory)}:${from.line}`
}

/** A file, or the variable or option with settings, labelled by its owner. */
export function fileLabel(
  { layer, file }: Pick<ConfigFile, "layer" | "file">,
  projectDirectory: string | null,
): string {
  const top = projectDirectory === null ? null : `${projectDirectory.replace(/\/$/, "")}/`
  if (layer === "project" && top !== null && file.startsWith(top))
    return `the project’s ${visibleText(file.slice(top.length))}`
  if (layer === "user" || layer === "project") return `your ${visibleText(file)}`
  return layer === "environment" ? `the environment: ${visibleText(file)}` : `the command line: ${visibleText(file)}`
}

/** Whether a file is fully in force. */
export function stateLabel({ layer, counts }: ConfigFile): string {
  if (counts) return "Counts"
  return layer === "project" ? "Only makes rights stricter" : "Another counts in its place"
}
