import type { Dirent } from "node:fs"
import { opendir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import type { ConfigProblem } from "./config-report.ts"
import type { SeenProject } from "./seen-project.ts"
import { glanceAtUser, userConfigDirectory } from "./user-directory.ts"

/** What people define in Markdown files; a skill is a directory with a `SKILL.md`. */
export type DefinitionKind = "agent" | "command" | "skill"

/** The program whose format a definition has. */
export type DefinitionOrigin = "docket" | "opencode" | "claude"

/** A directory that may hold definitions of one kind. */
export interface DefinitionPlace {
  kind: DefinitionKind
  origin: DefinitionOrigin
  /** Absolute. */
  directory: string
  /** The directory of its level; relative paths in its files start here. */
  level: string
}

/** The user whose own definitions are in their home directory. */
export interface DefiningUser {
  env: Record<string, string | undefined>
  home: string
}

/**
 * The places of a project's definitions at one level: a directory between the project's top and the current one.
 * Lowest priority first. The user's own places are left out.
 */
export function projectDefinitionPlaces(kind: DefinitionKind, level: string, user: DefiningUser): DefinitionPlace[] {
  const own = new Set(userDefinitionDirectories(user))
  const places: DefinitionPlace[] = [
    { kind, origin: "claude", directory: join(level, ".claude", `${kind}s`), level },
    { kind, origin: "opencode", directory: join(level, ".opencode", kind), level },
    { kind, origin: "opencode", directory: join(level, ".opencode", `${kind}s`), level },
    { kind, origin: "docket", directory: join(level, ".docket", `${kind}s`), level },
  ]
  return places.filter(({ directory }) => !own.has(directory))
}

/** The places of the user's own definitions, lowest priority first. */
export function userDefinitionPlaces(kind: DefinitionKind, user: DefiningUser): DefinitionPlace[] {
  const docket = userConfigDirectory(user)
  const opencode = join(dirname(docket), "opencode")
  const claude = join(user.home, ".claude")
  return [
    { kind, origin: "claude", directory: join(claude, `${kind}s`), level: claude },
    { kind, origin: "opencode", directory: join(opencode, kind), level: opencode },
    { kind, origin: "opencode", directory: join(opencode, `${kind}s`), level: opencode },
    { kind, origin: "docket", directory: join(docket, `${kind}s`), level: docket },
  ]
}

/** Every directory that may hold the user's own definitions. */
export function userDefinitionDirectories(user: DefiningUser): string[] {
  const kinds: DefinitionKind[] = ["agent", "command", "skill"]
  return kinds.flatMap((kind) => userDefinitionPlaces(kind, user)).map(({ directory }) => directory)
}

/** The definitions that were found, and problems with the others. */
interface FoundDefinitions<T> {
  /** Lowest priority first. */
  found: T[]
  problems: ConfigProblem[]
}

/** Definitions of one kind. */
interface Definitions<T> {
  own(): Promise<FoundDefinitions<T>>
  /** From the project's top down to the directory. Trust is not checked here. */
  ofProject(project: SeenProject): Promise<FoundDefinitions<T>>
}

/** @param read makes something of a file, or says what is wrong with it; null leaves it out */
export function createDefinitions<T>(
  user: DefiningUser,
  kind: DefinitionKind,
  read: (definition: ReadDefinition) => Promise<{ found: T | null; problems: readonly ConfigProblem[] }>,
): Definitions<T> {
  const readPlaces = async (places: readonly DefinitionPlace[], within: string | null) => {
    const all: FoundDefinitions<T> = { found: [], problems: [] }
    for (const one of await readDefinitions(places, within)) {
      if ("text" in one) {
        const { found, problems } = await read(one)
        if (found !== null) all.found.push(found)
        all.problems.push(...problems)
      } else {
        const consequence = one.name === null ? "" : ` The ${kind} is left out until this is mended.`
        all.problems.push({ file: one.file, line: null, column: null, message: `${one.reason}.${consequence}` })
      }
    }
    return all
  }
  return {
    own: async () => readPlaces(await glanceAtUser(user).present(userDefinitionPlaces(kind, user), directoryOf), null),
    async ofProject({ top, levels, glance }) {
      const places = levels.flatMap((level) => projectDefinitionPlaces(kind, level, user))
      return readPlaces(await glance.present(places, directoryOf), top)
    },
  }
}

/** Where a definition's file may lie. */
export function directoryOf({ directory }: DefinitionPlace): string {
  return directory
}

/** Limits per place: entries that are read, and levels of directories. */
export const definitionLimits = { entries: 1_000, depth: 8 }

/** A file that defines something, not read yet. */
export interface DefinitionFile {
  kind: DefinitionKind
  origin: DefinitionPlace["origin"]
  /** Its path below the place without `.md`; for a skill, that of its directory. Parts are separated by `/`. */
  name: string
  /** Absolute. */
  file: string
}

/** A definition with its text, without a byte order mark. */
interface ReadDefinition extends DefinitionFile {
  /** That of its place. */
  level: string
  text: string
}

/** A file or a place that could not be read completely. */
interface LeftOut {
  /** Absolute. */
  file: string
  /** Of the definition; null for a whole place. */
  name: string | null
  /** The rest of a sentence that begins with the file. */
  reason: string
  /** It disappeared after it was listed, or it is a broken link. */
  isGone: boolean
}

const skillFile = "SKILL.md"
/** Most bytes of a definition's file. */
const sizeLimit = 131_072

/**
 * Reads the definitions of all places in order. What could not be read is in the result at its position.
 * @param within real path that must contain the files; null: anywhere
 */
export async function readDefinitions(
  places: readonly DefinitionPlace[],
  within: string | null,
): Promise<(ReadDefinition | LeftOut)[]> {
  const read: (ReadDefinition | LeftOut)[] = []
  for (const place of places) {
    const { kind, origin, directory, level } = place
    const { paths, problem } = await listFiles(directory, kind)
    if (problem !== null) read.push({ file: directory, name: null, reason: problem, isGone: false })
    for (const path of paths) {
      const name = path.slice(0, -(kind === "skill" ? `/${skillFile}` : ".md").length)
      read.push(await readDefinition({ kind, origin, name, file: join(directory, path) }, level, within))
    }
  }
  return read
}

async function readDefinition(
  found: DefinitionFile,
  level: string,
  within: string | null,
): Promise<ReadDefinition | LeftOut> {
  try {
    const { bytes } = await readWithin(within, found.file, sizeLimit + 1)
    if (bytes.length > sizeLimit) throw new UnfitFileError(`is larger than ${sizeLimit} bytes, the most that is read`)
    return { ...found, level, text: bytes.toString("utf8").replace(/^\uFEFF/, "") }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    const isGone = code === "ENOENT" || code === "ENOTDIR"
    return { file: found.file, name: found.name, reason: unreadableReason(error), isGone }
  }
}

/**
 * The paths of the definitions in a place and its subdirectories, sorted; links are followed. Empty when the place
 * does not exist. Whether they count is decided by `judgeProject`.
 */
async function listFiles(
  directory: string,
  kind: DefinitionKind,
): Promise<{
  paths: string[]
  /** Why there may be more; null when these are all. */
  problem: string | null
}> {
  const paths: string[] = []
  let left = definitionLimits.entries
  let problem: string | null = null
  const visit = async (below: string, depth: number): Promise<void> => {
    const entries = await readEntries(join(directory, below), left)
    left -= entries.length
    if (left < 0) problem = `holds more than ${definitionLimits.entries} entries; only so many are looked at`
    const pathOf = (entry: Dirent) => (below === "" ? entry.name : `${below}/${entry.name}`)
    const isSkill = kind === "skill" && below !== "" && entries.some(({ name }) => name === skillFile)
    // What lies below a skill belongs to it.
    if (isSkill) return void paths.push(`${below}/${skillFile}`)
    const subdirectories: string[] = []
    for (const entry of entries) {
      const path = pathOf(entry)
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(join(directory, path))))) {
        subdirectories.push(path)
      } else if (kind !== "skill" && entry.name.endsWith(".md")) paths.push(path)
    }
    for (const subdirectory of subdirectories.sort()) {
      if (left < 0) return
      if (depth < definitionLimits.depth) await visit(subdirectory, depth + 1)
      else problem = `is nested more than ${definitionLimits.depth} levels deep; what is below is not looked at`
    }
  }
  try {
    await visit("", 0)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error
    if (code !== "ENOENT" && code !== "ENOTDIR") problem = `cannot be read (${String(code)}); check its permissions`
  }
  return { paths: paths.sort(), problem }
}

/** The entries of a directory; one more than `limit` where there are more. */
async function readEntries(directory: string, limit: number): Promise<Dirent[]> {
  const entries: Dirent[] = []
  for await (const entry of await opendir(directory)) {
    entries.push(entry)
    if (entries.length > limit) break
  }
  return entries
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
