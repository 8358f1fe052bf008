import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { evaluateStrictest } from "../../ground/rule/index.ts"
import type { PermissionRuleset } from "../../ground/schema/permission.ts"

/** Instructions for one kind of task, with files beside them, which a model loads when needed. */
export interface Skill {
  name: string
  description: string
  /** The text for the model when it loads the skill. */
  text: string
  /** Absolute paths of its SKILL.md and of the directory with it. */
  file: string
  directory: string
  /** The real path of that directory. */
  place: string
  from: "user" | "project"
  /** False for a skill that only users may call. */
  offered: boolean
  /** Settings that have no effect here: sentences. */
  notes: string[]
}

/** Most characters of the whole list, of one description in it, and of the names without a description. */
const limits = { list: 8_000, description: 400, names: 1_500 }

/**
 * The list of skills for a model, one per line; when space runs out only names, and then the number of those omitted.
 */
export function listSkills(skills: readonly Pick<Skill, "name" | "description">[]): string {
  const lines: string[] = []
  let room = limits.list
  const undescribed: string[] = []
  for (const { name, description } of skills) {
    const line = `- ${name}: ${quoteFrames(shortened(description))}`
    room -= line.length + 1
    if (room >= 0 && undescribed.length === 0) lines.push(line)
    else undescribed.push(name)
  }
  if (undescribed.length > 0) lines.push(withoutDescription(undescribed))
  return lines.join("\n")
}

function shortened(text: string): string {
  return text.length > limits.description ? `${text.slice(0, limits.description)}…` : text
}

function withoutDescription(names: readonly string[]): string {
  let room = limits.names
  const named = names.filter((name) => {
    room -= name.length + 2
    return room >= 0
  })
  const more = names.length - named.length
  return `There is no room to describe these: ${named.join(", ")}${more > 0 ? `, and ${more} more` : ""}.`
}

/** The skills offered to an agent: those that no ruleset, its own or one above it, denies. */
export function allowedSkills(
  skills: readonly Skill[],
  rulesets: readonly [PermissionRuleset, ...PermissionRuleset[]],
): Skill[] {
  return skills.filter(({ name, offered }) => offered && evaluateStrictest("skill", name, rulesets).action !== "deny")
}
