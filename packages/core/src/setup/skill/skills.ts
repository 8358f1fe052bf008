import { createHash } from "node:crypto"
import { createReadStream, type Dirent } from "node:fs"
import { lstat, opendir, realpath } from "node:fs/promises"
import { join, relative } from "node:path"
import { settledStamp, stampOf } from "../../ground/file/file-stamp.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { createDefinitions, type DefiningUser } from "../config/definitions.ts"
import type { FindProvidedFiles, JudgedFile, ProvidedFile } from "../config/provided-file.ts"
import type { Skill } from "./list-skills.ts"
import type { ParsedSkill } from "./parse-skill.ts"

/** A usable SKILL.md. */
interface ReadSkill {
  skill: NonNullable<ParsedSkill["skill"]>
  /** The text of the file. */
  text: string
}

export interface SkillsInForce {
  /** The project's first, then the user's, each by name. */
  skills: Skill[]
  /** Why skills of the user were left out; for the project's skills, the trust report gives the reason. */
  problems: ConfigProblem[]
}

interface Skills {
  /** Finds the skills of a project, so that the user can decide whether to trust them. */
  findProvided: FindProvidedFiles
  /** The user's own skills and the trusted ones of a project. Of several with one name, the nearest is used. */
  inForce(provided: readonly JudgedFile[]): Promise<SkillsInForce>
}

/** Finds the skills of the user and of projects. */
export function createSkills(user: DefiningUser): Skills {
  const parse = createParseSkill()
  const hashFiles = createHashFiles()
  const definitions = createDefinitions(user, "skill", async ({ file, text }) => {
    const { skill, problems } = await parse(file, text)
    return { found: skill && { skill, text }, problems }
  })
  return {
    async findProvided(project) {
      const { found, problems } = await definitions.ofProject(project)
      const provided = await Promise.all(found.map((one) => providedSkill(one, hashFiles, problems)))
      return { files: provided.filter((file) => file !== null), problems }
    },
    async inForce(provided) {
      const { found, problems } = await definitions.own()
      const ofUser = await Promise.all(found.map(({ skill }) => ownSkill(skill, user.home, problems)))
      const trusted = provided.filter((file) => file.kind === "skill" && file.trusted)
      const ofProject = trusted.map(async ({ file, text }): Promise<Skill | null> => {
        const { skill } = await parse(file, text)
        return skill && { ...skill, from: "project", place: await realOf(skill.directory) }
      })
      const all = [...ofUser, ...(await Promise.all(ofProject))].filter((skill) => skill !== null)
      return { skills: nearest(all, problems), problems }
    },
  }
}

/** Parses a text; the same text of the same file only once. */
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

/** A skill of a project with the files beside it, so that a changed script needs new trust. */
async function providedSkill(
  { skill, text }: ReadSkill,
  hashFiles: HashFiles,
  problems: ConfigProblem[],
): Promise<ProvidedFile | null> {
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

/** A skill of the user. Programs can read its folder, so this must not contain the user's home. */
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

/** Of several skills with one name, keeps the last; the others are reported as problems. */
function nearest(skills: readonly Skill[], problems: ConfigProblem[]): Skill[] {
  const kept = new Map(skills.map((skill) => [skill.name, skill]))
  for (const { name, file } of skills) {
    const keptFile = kept.get(name)?.file ?? file
    if (keptFile === file) continue
    const message = `there are two skills of the name "${name}": ${keptFile} is nearer and counts, this one does not.`
    problems.push({ file, line: 1, column: 1, message })
  }
  const byName = (a: Skill, b: Skill) => (a.name < b.name ? -1 : 1)
  const from = (of: Skill["from"]) => [...kept.values()].filter((skill) => skill.from === of).sort(byName)
  return [...from("project"), ...from("user")]
}

/** Most files beside a skill's text, bytes in total, and levels of directories, so that people can review them. */
const besideLimits = { files: 200, bytes: 16 * 1024 * 1024, depth: 6 }

interface BesideFiles {
  /** Absolute paths of regular files, sorted. Links and special files are left out. */
  files: string[]
  /** There are more files than the limits allow. */
  more: boolean
}

/** The files in a skill's directory and below it, without its SKILL.md. */
export async function besideFiles(directory: string): Promise<BesideFiles> {
  const files: string[] = []
  let more = false
  const visit = async (at: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(at)) {
      const path = join(at, entry.name)
      if (more || path === join(directory, "SKILL.md")) continue
      if (entry.isFile()) files.push(path)
      if (files.length > besideLimits.files || (entry.isDirectory() && depth >= besideLimits.depth)) more = true
      else if (entry.isDirectory()) await visit(path, depth + 1)
    }
  }
  await visit(directory, 0)
  return { files: files.slice(0, besideLimits.files).sort(), more }
}

/** Reads just enough entries to know that there are too many; one of them may be the SKILL.md. */
async function entriesOf(directory: string): Promise<Dirent[]> {
  const entries: Dirent[] = []
  const opened = await opendir(directory).catch(() => null)
  if (opened === null) return []
  for await (const entry of opened) {
    entries.push(entry)
    if (entries.length > besideLimits.files + 1) break
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** A file and the SHA-256 of its content (hex). */
interface HashedFile {
  file: string
  sha256: string
}

/** Hashes files; an unchanged file is not read again. Null when the limit is exceeded. */
type HashFiles = (files: readonly string[]) => Promise<HashedFile[] | null>

function createHashFiles(): HashFiles {
  const known = new Map<string, { stamp: string; sha256: string }>()
  return async (files) => {
    let left = besideLimits.bytes
    const hashed: HashedFile[] = []
    for (const file of files) {
      const facts = await lstat(file, { bigint: true }).catch(() => null)
      if (facts === null || !facts.isFile()) continue
      left -= Number(facts.size)
      if (left < 0) return null
      const before = known.get(file)
      const sha256 = before?.stamp === stampOf(facts) ? before.sha256 : await sha256Of(file)
      const stamp = settledStamp(facts)
      if (stamp !== null) known.set(file, { stamp, sha256 })
      hashed.push({ file, sha256 })
    }
    return hashed
  }
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest("hex")
}
