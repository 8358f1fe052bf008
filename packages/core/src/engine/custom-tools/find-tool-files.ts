import { createHash } from "node:crypto"
import { readdir, realpath } from "node:fs/promises"
import path from "node:path"
import { repairToolName } from "../../acts/tool/run-tool.ts"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import { toolNames } from "../../ground/schema/tool-metadata.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import type { DefiningUser } from "../../setup/config/definitions.ts"
import type { FindProvidedFiles, ProvidedFile, ProvidingProject } from "../../setup/config/provided-file.ts"
import { permissionNames, replaceableTools } from "../../setup/config/tool-names.ts"
import { opencodeUserDirectory, userConfigDirectory } from "../../setup/config/user-directory.ts"

/** Most files in a directory of tools, files that one loads and paths that it names, and bytes of a file. */
const most = { files: 100, loaded: 100, named: 1_000, bytes: 1024 * 1024 } as const
const directories = ["tool", "tools"]
const endings = /\.(?:ts|js)$/
const moduleEndings = ["", ".ts", ".js", ".mts", ".mjs", ".json", "/index.ts", "/index.js"]
/** Docket's tools, and permissions of other names. */
const takenNames: readonly string[] = [...new Set([...toolNames, ...permissionNames, "invalid"])]
/** Relative paths in `import`, `export … from`, `import()` and `require()`. */
const relativeImport = /\b(?:from|import|require)\s*(?:\(\s*)?["'](\.{1,2}\/[^"'\n]+)["']/g

interface FoundToolFiles {
  /** Lowest priority first. */
  files: ProvidedFile[]
  problems: ConfigProblem[]
}

/** Finds files that define tools: those of a project, which wait for trust, and the user's own. */
export interface ToolFiles {
  findProvided: FindProvidedFiles
  own(): Promise<FoundToolFiles>
  /** The names of all these files, read or not, that a tool of its own may have. */
  names(project: Pick<ProvidingProject, "directory" | "worktree"> | null): Promise<string[]>
}

export function createToolFiles(user: DefiningUser): ToolFiles {
  const ownTops = [opencodeUserDirectory(user), userConfigDirectory(user)]
  const projectPlaces = async ({ directory, worktree }: Pick<ProvidingProject, "directory" | "worktree">) => {
    const [top = worktree, at = directory] = await Promise.all(
      [worktree, directory].map((place) => realpath(place).catch(() => place)),
    )
    const levels = directoriesBetween(top, at)
    const tops = levels.flatMap((level) => [path.join(level, ".opencode"), path.join(level, ".docket")])
    return { top, places: placesIn(tops.filter((place) => !ownTops.includes(place))) }
  }
  return {
    own: () => filesIn(placesIn(ownTops), null),
    async findProvided(project) {
      const { top, places } = await projectPlaces(project)
      return filesIn(places, top)
    },
    async names(project) {
      const places = project === null ? [] : (await projectPlaces(project)).places
      const found = await Promise.all([...placesIn(ownTops), ...places].map(namesIn))
      return found
        .flat()
        .map(toolNameOf)
        .filter((name) => nameProblem(name) === null)
    },
  }
}

/** The names of the files in a place that define tools, sorted, as many as are read. */
async function namesIn(place: string): Promise<string[]> {
  const names = (await readdir(place).catch(() => [])).filter((name) => endings.test(name) && !name.endsWith(".d.ts"))
  return names.sort().slice(0, most.files)
}

function toolNameOf(file: string): string {
  return path.basename(file).replace(endings, "")
}

function placesIn(tops: readonly string[]): string[] {
  return tops.flatMap((top) => directories.map((name) => path.join(top, name)))
}

async function filesIn(places: readonly string[], within: string | null): Promise<FoundToolFiles> {
  const found: FoundToolFiles = { files: [], problems: [] }
  for (const place of places) {
    for (const name of await namesIn(place)) {
      const file = path.join(place, name)
      const read = await readToolFile(file, within)
      if ("message" in read) found.problems.push({ file, line: null, column: null, message: read.message })
      else found.files.push(read)
    }
  }
  return found
}

async function readToolFile(file: string, within: string | null): Promise<ProvidedFile | { message: string }> {
  const name = toolNameOf(file)
  const unfit = mayReplace(name) ? null : nameProblem(name)
  if (unfit !== null) return { message: `The tool "${name}" is left out: ${unfit}` }
  try {
    const { text, real } = await readText(file, within)
    const beside = within === null ? [] : await loadedBy({ real, text }, within)
    const notes = ["Runs as a program when an agent calls it, and to find out what it offers."]
    return { kind: "tool", name, file, text, pieces: [{ real, text }], beside, notes }
  } catch (error) {
    return { message: `The tool "${name}" is left out: the file ${unreadableReason(error)}.` }
  }
}

/** Whether a file of this name would take the place of one of Docket's tools: whether it does, the user decides. */
export function mayReplace(name: string): boolean {
  return replaceableTools.some((known) => known === name)
}

/** Why a tool cannot be called by this name; null when it can. */
export function nameProblem(name: string): string | null {
  if (!/^[A-Za-z][\w-]{0,63}$/.test(name))
    return 'its name begins with a letter and has letters, digits, "_" and "-", at most 64 of them. Rename it.'
  const taken = repairToolName(name, takenNames)
  if (taken !== null) {
    return mayReplace(name)
      ? `Docket has "${taken}". Rename it, or name it in "custom_tools.replaces" of your own docket.json.`
      : `Docket has "${taken}", which nothing replaces. Rename it.`
  }
  // Rules for a file's tools are written `name_*`.
  const begun = takenNames.find((known) => known.startsWith(`${name}_`))
  return begun === undefined ? null : `rules for "${name}_*" would also be about Docket's "${begun}". Rename it.`
}

async function readText(file: string, within: string | null): Promise<{ text: string; real: string }> {
  const { bytes, real, size } = await readWithin(within, file, most.bytes)
  if (size > most.bytes) throw new Error(`is larger than ${most.bytes} bytes, the most that is read`)
  return { text: bytes.toString("utf8"), real }
}

/** The files of the project that a file loads by relative paths, as far as its text shows. */
async function loadedBy(
  first: { real: string; text: string },
  within: string,
): Promise<{ file: string; sha256: string }[]> {
  const seen = new Map<string, string>()
  const named = new Set<string>()
  const waiting = [first]
  for (let next = waiting.pop(); next !== undefined && seen.size < most.loaded; next = waiting.pop()) {
    for (const [, specifier = ""] of next.text.matchAll(relativeImport)) {
      const target = path.resolve(path.dirname(next.real), specifier)
      if (named.has(target)) continue
      if (named.size === most.named || seen.size === most.loaded) break
      named.add(target)
      const read = await readModule(target, within)
      if (read === null || read.real === first.real || seen.has(read.real)) continue
      seen.set(read.real, sha256Of(read.text))
      waiting.push(read)
    }
  }
  return [...seen].map(([file, sha256]) => ({ file, sha256 }))
}

async function readModule(file: string, within: string): Promise<{ real: string; text: string } | null> {
  const ways = [...moduleEndings.map((ending) => file + ending), file.replace(/\.js$/, ".ts")]
  for (const way of ways) {
    const read = await readText(way, within).catch(() => null)
    if (read !== null) return read
  }
  return null
}

/** SHA-256 (hex). */
export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
