import type { InstructionsText, SkillText } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { formatCount } from "../../../../ui/format-count.ts"
import { sourceLabel } from "./rule-labels.ts"

/** The owner of the instructions, when models receive them, and their length. */
export function instructionsLabel({ from, below, size }: InstructionsText): string {
  const owner = { user: "Yours", project: "The project’s", address: "Fetched" }[from]
  const when = below === null ? "in every prompt" : `with the first file that is read in ${visibleText(below)}`
  return `${owner} · ${when} · ${formatCount(size, "character")}`
}

/** The source of a skill, and its length. */
export function skillLabel({ file, size }: SkillText, projectDirectory: string | null): string {
  const source = sourceLabel(file, projectDirectory)
  return `${source.charAt(0).toUpperCase()}${source.slice(1)} · ${formatCount(size, "character")}`
}
