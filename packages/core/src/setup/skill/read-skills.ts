import { UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import type { DefinitionPlace } from "../config/definition-places.ts"
import { findDefinitions } from "../config/find-definitions.ts"
import type { ParsedSkill } from "./parse-skill.ts"

/** Most bytes of a SKILL.md. */
const sizeLimit = 131_072

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
  for (const place of places) {
    const { files, problem } = await findDefinitions(place)
    if (problem !== null) problems.push({ file: place.directory, line: null, column: null, message: `${problem}.` })
    for (const { file } of files) {
      const text = await readText(file, within).catch((error: unknown) => {
        const message = `${unreadableReason(error)}. The skill is left out until this is mended.`
        problems.push({ file, line: null, column: null, message })
        return null
      })
      if (text === null) continue
      const parsed = await parse(file, text)
      problems.push(...parsed.problems)
      if (parsed.skill !== null) skills.push({ skill: parsed.skill, text })
    }
  }
  return { skills, problems }
}

async function readText(file: string, within: string | null): Promise<string> {
  const { bytes, size } = await readWithin(within, file, sizeLimit)
  if (size > sizeLimit) throw new UnfitFileError(`is larger than ${sizeLimit} bytes, the most that is read`)
  return bytes.toString("utf8").replace(/^\uFEFF/, "")
}
