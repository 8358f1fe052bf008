import type { ConfigFile, EffectiveValue } from "@docket/core"
import { visibleText } from "@docket/core/rule"

/** The values of one key of docket.json; under `general` those of all keys that have one value. */
export interface ConfigSection {
  name: string
  values: EffectiveValue[]
}

/** Values by their first key, what is general first, those alone that hold what is looked for in key, value or file. */
export function configSections(values: readonly EffectiveValue[], wanted: string): ConfigSection[] {
  const needle = wanted.trim().toLowerCase()
  const isWanted = ({ path, value, from }: EffectiveValue) =>
    [path.join("."), value, from.layer === "default" ? "" : from.file].some((text) =>
      text.toLowerCase().includes(needle),
    )
  const sections = Map.groupBy(values.filter(isWanted), sectionOf)
  const listed = [...sections].map(([name, values]) => ({ name, values }))
  return [...listed.filter(({ name }) => name === general), ...listed.filter(({ name }) => name !== general)]
}

const general = "general"

const sectionOf = ({ path: [first = general, ...below] }: EffectiveValue) => (below.length > 0 ? first : general)

/** The keys below the section, as they are written with dots; the section itself where it is one value. */
export function keyLabel({ path }: EffectiveValue): string {
  return visibleText(path.length > 1 ? path.slice(1).join(".") : (path[0] ?? ""))
}

/** Where a value comes from, with line; files of the project by their place in it. */
export function originLabel(from: EffectiveValue["from"], projectDirectory: string | null): string {
  return from.layer === "default" ? "Docket’s default" : `${fileLabel(from, projectDirectory)}:${from.line}`
}

/** A file, or the variable or option that holds settings, by whose it is. */
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

/** Whether a file counts as it is written. */
export function stateLabel({ layer, counts }: ConfigFile): string {
  if (counts) return "Counts"
  return layer === "project" ? "Only makes rights stricter" : "Another counts in its place"
}
