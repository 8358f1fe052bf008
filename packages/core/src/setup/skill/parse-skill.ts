import { basename, dirname } from "node:path"
import type { ConfigProblem } from "../config/config-report.ts"
import { parseFrontmatter } from "../config/frontmatter.ts"
import { isRecord } from "../config/is-record.ts"
import type { Skill } from "./list-skills.ts"

/** The contents of a SKILL.md. */
export interface ParsedSkill {
  /** Null when the skill cannot be used. */
  skill: Omit<Skill, "from" | "place"> | null
  problems: ConfigProblem[]
}

/** A name that can be used in a rule, in any script: no wildcards, slashes or spaces. */
const namePattern = /^[\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,63}$/u
/** Longest description (UTF-16 units; specification of Agent Skills). */
const maxDescription = 1_024

const allowedTools =
  "Its allowed-tools lift nothing: what an agent may do is decided by the permissions alone, also while it follows a skill."
const forPeople = "No model is offered it (disable-model-invocation)."

/**
 * Reads a SKILL.md: YAML frontmatter with name and description, then the text. Without a name, the folder's name is
 * used; without a description it is left out, because no model could know when to use it. Never throws.
 */
export function parseSkill(file: string, text: string): ParsedSkill {
  const folder = basename(dirname(file))
  const leftOut = (line: number, column: number, message: string): ParsedSkill => ({
    skill: null,
    problems: [{ file, line, column, message: `${message}. The skill "${folder}" is left out until this is mended.` }],
  })
  const parsed = parseFrontmatter(text)
  if ("refused" in parsed) return leftOut(parsed.line, parsed.column, parsed.refused)
  const { settings, body, near } = parsed
  if (!isRecord(settings)) return leftOut(2, 1, "the frontmatter is not a map of settings")
  const at = (key: string): [number, number] => {
    const { line, column } = near([key])
    return [line, column]
  }
  const name = settings.name ?? folder
  if (typeof name !== "string" || !namePattern.test(name)) {
    return leftOut(...at("name"), "a skill's name is one word of at most 64 letters, digits, dots and hyphens")
  }
  const { description } = settings
  if (typeof description !== "string" || description.trim() === "") {
    return leftOut(...at("description"), "a skill needs a description, by which a model knows when to load it")
  }
  if (body === "") return leftOut(1, 1, "there is no text below the frontmatter")
  const isForPeople = settings["disable-model-invocation"] === true
  const directory = dirname(file)
  return {
    skill: {
      name,
      description: oneLine(description),
      text: body.replaceAll("${CLAUDE_SKILL_DIR}", directory),
      file,
      directory,
      offered: !isForPeople,
      notes: [...(settings["allowed-tools"] === undefined ? [] : [allowedTools]), ...(isForPeople ? [forPeople] : [])],
    },
    problems: namedUnlikeFolder(file, { given: settings.name, folder }, at),
  }
}

function namedUnlikeFolder(
  file: string,
  { given, folder }: { given: unknown; folder: string },
  at: (key: string) => [number, number],
): ConfigProblem[] {
  if (given === folder) return []
  const [line, column] = given === undefined ? [1, 1] : at("name")
  const message =
    given === undefined
      ? `the skill has no name; it is called after its folder, "${folder}".`
      : `the skill is called "${given}", unlike its folder "${folder}"; it counts as "${given}".`
  return [{ file, line, column, message }]
}

/** A list shows each description on one line. */
function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  return line.length > maxDescription ? `${line.slice(0, maxDescription)}…` : line
}
