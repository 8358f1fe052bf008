import type { Dirent } from "node:fs"
import { opendir, stat } from "node:fs/promises"
import { join } from "node:path"
import { UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import type { DefinitionKind, DefinitionPlace } from "./definition-places.ts"

/** Most entries of a place that are looked at, and most levels below it. */
export const definitionLimits = { entries: 1_000, depth: 8 }

/** A file that defines something, not read yet. */
export interface DefinitionFile {
  kind: DefinitionKind
  origin: DefinitionPlace["origin"]
  /** Its path below the place without `.md`; of a skill that of its directory. With `/`. */
  name: string
  /** Absolute. */
  file: string
}

interface FoundDefinitions {
  /** Sorted by their paths. */
  files: DefinitionFile[]
  /** Why there may be more; null when these are all. */
  problem: string | null
}

/** A definition with its text, without a byte order mark. */
export interface ReadDefinition extends DefinitionFile {
  /** That of its place. */
  level: string
  text: string
}

/** A file or a place of which something is left out. */
export interface LeftOut {
  /** Absolute. */
  file: string
  /** Of the definition; null for a whole place. */
  name: string | null
  /** The rest of a sentence that begins with the file. */
  reason: string
  /** It was there when the place was looked at, or is a link to nothing. */
  isGone: boolean
}

const skillFile = "SKILL.md"
/** Most bytes of a definition's file. */
const sizeLimit = 131_072

/**
 * The definitions of places, each place in its order, with what is left out where it is found.
 * @param within real path in which the files must really lie; null: anywhere
 */
export async function readDefinitions(
  places: readonly DefinitionPlace[],
  within: string | null,
): Promise<(ReadDefinition | LeftOut)[]> {
  const read: (ReadDefinition | LeftOut)[] = []
  for (const place of places) {
    const { files, problem } = await findDefinitions(place)
    if (problem !== null) read.push({ file: place.directory, name: null, reason: problem, isGone: false })
    for (const found of files) read.push(await readDefinition(found, place.level, within))
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
 * The definitions of a place and of the directories below it, links followed. None when it is not there. What a project
 * brings is only found here: `judgeProject` decides whether it counts.
 */
async function findDefinitions({ kind, origin, directory }: DefinitionPlace): Promise<FoundDefinitions> {
  const { names, problem } = await listFiles(directory, kind)
  const files = names.map((path): DefinitionFile => {
    const name = path.slice(0, -(kind === "skill" ? `/${skillFile}` : ".md").length)
    return { kind, origin, name, file: join(directory, path) }
  })
  return { files, problem }
}

async function listFiles(
  directory: string,
  kind: DefinitionKind,
): Promise<{ names: string[]; problem: string | null }> {
  const names: string[] = []
  let left = definitionLimits.entries
  let problem: string | null = null
  const visit = async (below: string, depth: number): Promise<void> => {
    const entries = await readEntries(join(directory, below), left)
    left -= entries.length
    if (left < 0) problem = `holds more than ${definitionLimits.entries} entries; only so many are looked at`
    const nameOf = (entry: Dirent) => (below === "" ? entry.name : `${below}/${entry.name}`)
    const isSkill = kind === "skill" && below !== "" && entries.some(({ name }) => name === skillFile)
    // What lies below a skill belongs to it.
    if (isSkill) return void names.push(`${below}/${skillFile}`)
    const levels: string[] = []
    for (const entry of entries) {
      const name = nameOf(entry)
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(join(directory, name))))) {
        levels.push(name)
      } else if (kind !== "skill" && entry.name.endsWith(".md")) names.push(name)
    }
    for (const level of levels.sort()) {
      if (left < 0) return
      if (depth < definitionLimits.depth) await visit(level, depth + 1)
      else problem = `is nested more than ${definitionLimits.depth} levels deep; what is below is not looked at`
    }
  }
  try {
    await visit("", 0)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error
    if (code !== "ENOENT" && code !== "ENOTDIR") problem = `cannot be read (${String(code)}); check its permissions`
  }
  return { names: names.sort(), problem }
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
