import type { ConfigProblem } from "../config/config-report.ts"
import type { DefinitionPlace } from "../config/definition-places.ts"
import { readDefinitions } from "../config/find-definitions.ts"
import type { ParsedSkill } from "./parse-skill.ts"

/** A SKILL.md that can be used. */
export interface ReadSkill {
  skill: NonNullable<ParsedSkill["skill"]>
  /** As it lies there. */
  text: string
}

/** Parses a text; the same one of the same file only once. */
export type ParseSkill = (file: string, text: string) => Promise<ParsedSkill>

export function createParseSkill(): ParseSkill {
  const known = new Map<string, { text: string; parsed: ParsedSkill }>()
  return async (file, text) => {
    const before = known.get(file)
    if (before?.text === text) return before.parsed
    // The YAML parser is loaded only where it is needed.
    const { parseSkill } = await import("./parse-skill.ts")
    const parsed = parseSkill(file, text)
    known.set(file, { text, parsed })
    return parsed
  }
}

/**
 * The skills of places, lowest priority first. What cannot be read is a problem and hinders nothing else.
 * @param within real path in which they must really lie; null: anywhere
 */
export async function readSkills(
  places: readonly DefinitionPlace[],
  within: string | null,
  parse: ParseSkill,
): Promise<{ skills: ReadSkill[]; problems: ConfigProblem[] }> {
  const skills: ReadSkill[] = []
  const problems: ConfigProblem[] = []
  for (const one of await readDefinitions(places, within)) {
    if ("text" in one) {
      const parsed = await parse(one.file, one.text)
      problems.push(...parsed.problems)
      if (parsed.skill !== null) skills.push({ skill: parsed.skill, text: one.text })
    } else {
      const consequence = one.name === null ? "" : " The skill is left out until this is mended."
      problems.push({ file: one.file, line: null, column: null, message: `${one.reason}.${consequence}` })
    }
  }
  return { skills, problems }
}
