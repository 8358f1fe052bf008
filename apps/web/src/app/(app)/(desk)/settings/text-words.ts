import type { InstructionsText, SkillText } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { formatCount } from "../../../../ui/format-count.ts"
import { sourceWords } from "./rule-words.ts"

/** Whose instructions these are, when models are told them, and how much it is. */
export function instructionsWords({ from, below, size }: InstructionsText): string {
  const whose = { user: "Yours", project: "The project’s", address: "Fetched" }[from]
  const when = below === null ? "in every prompt" : `with the first file that is read in ${visibleText(below)}`
  return `${whose} · ${when} · ${formatCount(size, "character")}`
}

/** Where a skill lies, and how much it is. */
export function skillWords({ file, size }: SkillText, projectDirectory: string | null): string {
  const source = sourceWords(file, projectDirectory)
  return `${source.charAt(0).toUpperCase()}${source.slice(1)} · ${formatCount(size, "character")}`
}
