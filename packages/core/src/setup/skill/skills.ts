import { realpath } from "node:fs/promises"
import { relative } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import type { BringFiles, BroughtFile, JudgedFile } from "../config/brought-file.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { createDefinitions, type DefiningUser } from "../config/definitions.ts"
import { besideFiles, besideLimits, createHashFiles, type HashFiles } from "./beside-files.ts"
import type { ParsedSkill } from "./parse-skill.ts"
import type { Skill } from "./skill.ts"

/** A SKILL.md that can be used. */
interface ReadSkill {
  skill: NonNullable<ParsedSkill["skill"]>
  /** As it lies there. */
  text: string
}

export interface SkillsInForce {
  /** The project's first, then the user's, each by name. */
  skills: Skill[]
  /** What is there and left out, of the user's own; of the project's the judgement says it. */
  problems: ConfigProblem[]
}

export interface Skills {
  /** Finds those of a project, for the judgement of its trust. */
  bring: BringFiles
  /** The user's own and those that the user trusts of what a project brings. The nearest of one name counts. */
  inForce(brought: readonly JudgedFile[]): Promise<SkillsInForce>
}

/** The skills of the user and of projects. */
export function createSkills(user: DefiningUser): Skills {
  const parse = createParseSkill()
  const hashFiles = createHashFiles()
  const definitions = createDefinitions(user, "skill", async ({ file, text }) => {
    const { skill, problems } = await parse(file, text)
    return { found: skill && { skill, text }, problems }
  })
  return {
    async bring(project) {
      const { found, problems } = await definitions.ofProject(project)
      const brought = await Promise.all(found.map((one) => broughtSkill(one, hashFiles, problems)))
      return { files: brought.filter((file) => file !== null), problems }
    },
    async inForce(brought) {
      const { found, problems } = await definitions.own()
      const ofUser = await Promise.all(found.map(({ skill }) => ownSkill(skill, user.home, problems)))
      const trusted = brought.filter((file) => file.kind === "skill" && file.trusted)
      const ofProject = trusted.map(async ({ file, text }): Promise<Skill | null> => {
        const { skill } = await parse(file, text)
        return skill && { ...skill, from: "project", place: await realOf(skill.directory) }
      })
      const all = [...ofUser, ...(await Promise.all(ofProject))].filter((skill) => skill !== null)
      return { skills: nearest(all, problems), problems }
    },
  }
}

/** Parses a text; the same one of the same file only once. */
function createParseSkill(): (file: string, text: string) => Promise<ParsedSkill> {
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

/** A skill of a project with what lies beside it, so that another script asks for trust anew. */
async function broughtSkill(
  { skill, text }: ReadSkill,
  hashFiles: HashFiles,
  problems: ConfigProblem[],
): Promise<BroughtFile | null> {
  const { name, file, directory, notes } = skill
  const { files, more } = await besideFiles(directory)
  const beside = more ? null : await hashFiles(files)
  if (beside === null) {
    const most = `${besideLimits.files} files and ${besideLimits.bytes / 1024 / 1024} MB, ${besideLimits.depth} levels deep`
    const message = `more lies beside this skill than can be looked at (${most}). The skill "${name}" is left out.`
    problems.push({ file, line: null, column: null, message })
    return null
  }
  const listed = files.length === 0 ? [] : [`With it come ${files.map((at) => relative(directory, at)).join(", ")}.`]
  return { kind: "skill", name, file, text, beside, notes: [...listed, ...notes] }
}

/** A skill of the user's own. What lies beside it is shown to programs: that must not be the home. */
async function ownSkill(skill: ReadSkill["skill"], home: string, problems: ConfigProblem[]): Promise<Skill | null> {
  const place = await realOf(skill.directory)
  if (!isWithin(place, await realOf(home))) return { ...skill, from: "user", place }
  const message = `its folder is a link to ${place}, which holds your home. The skill "${skill.name}" is left out.`
  problems.push({ file: skill.file, line: null, column: null, message })
  return null
}

function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path)
}

/** Of several of one name the last; the others are problems. */
function nearest(skills: readonly Skill[], problems: ConfigProblem[]): Skill[] {
  const kept = new Map(skills.map((skill) => [skill.name, skill]))
  for (const { name, file } of skills) {
    const counts = kept.get(name)?.file ?? file
    if (counts === file) continue
    const message = `there are two skills of the name "${name}": ${counts} is nearer and counts, this one does not.`
    problems.push({ file, line: 1, column: 1, message })
  }
  const byName = (a: Skill, b: Skill) => (a.name < b.name ? -1 : 1)
  const from = (of: Skill["from"]) => [...kept.values()].filter((skill) => skill.from === of).sort(byName)
  return [...from("project"), ...from("user")]
}
