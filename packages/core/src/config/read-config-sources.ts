import { realpath } from "node:fs/promises"
import { join } from "node:path"
import { isWithin } from "../file/is-within.ts"
import { readBoundedFile, UnfitFileError, unreadableReason } from "../file/read-bounded-file.ts"
import { askingFor, type Closure } from "./closure.ts"
import type { ConfigProblem } from "./config-report.ts"
import { listAgentFiles } from "./list-agent-files.ts"

/** The text of one configuration file. */
export interface ConfigSource {
  file: string
  /** Relative paths in it start here. */
  directory: string
  /** The agent that a Markdown file describes; null for docket.json and docket.jsonc. */
  agent: string | null
  text: string
}

/** A level of configuration: docket.json and docket.jsonc in `directory`, Markdown files under `agents`. */
export interface ConfigPlace {
  directory: string
  agents: string
}

export interface ConfigSources {
  /** Lowest priority first. */
  sources: ConfigSource[]
  /** What is held back because a file that is there cannot be read. */
  closures: Closure[]
  problems: ConfigProblem[]
}

/** Most bytes of a docket.json, and of an agent's Markdown file. */
const sizeLimit = { config: 1_048_576, agent: 131_072 }

/**
 * Reads every configuration file of the places, in their order.
 *
 * @param within where the files must really lie; links that lead out of it are not followed. Null: anywhere.
 */
export async function readConfigSources(places: ConfigPlace[], within: string | null): Promise<ConfigSources> {
  const found: ConfigSources = { sources: [], closures: [], problems: [] }
  for (const { directory, agents } of places) {
    for (const name of ["docket.json", "docket.jsonc"]) {
      await addFile(found, { file: join(directory, name), directory, agent: null }, within)
    }
    const { names, problem } = await listAgentFiles(agents)
    if (problem !== null) addUnreadable(found, agents, problem, askingFor(null))
    for (const name of names) {
      await addFile(found, { file: join(agents, name), directory, agent: name.slice(0, -".md".length) }, within)
    }
  }
  return found
}

async function addFile(found: ConfigSources, at: Omit<ConfigSource, "text">, within: string | null): Promise<void> {
  try {
    if (within !== null && !isWithin(await realpath(within), await realpath(at.file))) {
      throw new UnfitFileError("is a link that leads out of the project")
    }
    const bytes = await readBoundedFile(at.file, at.agent === null ? sizeLimit.config : sizeLimit.agent)
    found.sources.push({ ...at, text: bytes.toString("utf8").replace(/^\uFEFF/, "") })
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ENOENT" || code === "ENOTDIR") return
    const reason = unreadableReason(error)
    const unusable = at.agent === null ? null : `${at.file} ${reason}`
    addUnreadable(found, at.file, reason, { ...askingFor(at.agent), unusable })
  }
}

function addUnreadable(found: ConfigSources, file: string, reason: string, closure: Closure): void {
  const consequence = closure.unusable === null ? "Everything is asked" : `The agent "${closure.agent}" is left out`
  found.problems.push({ file, line: null, column: null, message: `${reason}. ${consequence} until this is mended.` })
  found.closures.push(closure)
}
