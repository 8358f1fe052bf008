import { realpath } from "node:fs/promises"
import { dirname, isAbsolute, join } from "node:path"
import type { Glance } from "../../ground/file/glance.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFile, UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { askingFor, type Closure, type ConfigProblem } from "./config-report.ts"
import {
  type DefiningUser,
  type DefinitionFile,
  type DefinitionOrigin,
  type DefinitionPlace,
  directoryOf,
  projectDefinitionPlaces,
  readDefinitions,
  userDefinitionPlaces,
} from "./definitions.ts"
import type { OtherPrograms } from "./other-programs.ts"
import { userConfigDirectory } from "./user-directory.ts"

/** The text of one configuration file. */
export interface ConfigSource {
  file: string
  /** Set for what the environment or the command line gives; files found by their place have none. */
  layer?: "environment" | "command-line"
  /** Relative paths in it start here. */
  directory: string
  /** The agent that a Markdown file is to define; null for files with settings. */
  agent: Pick<DefinitionFile, "name" | "origin"> | null
  text: string
}

/** A level of configuration: files with settings, and the places of agents. */
interface ConfigPlace {
  directory: string
  /** Files with settings, lowest priority first; those of other programs count where none of Docket's is there. */
  settings: { docket: string[]; others: string[] }
  agents: DefinitionPlace[]
}

export interface ConfigSources {
  /** Lowest priority first. */
  sources: ConfigSource[]
  /** Rights that are withheld because a file that is there cannot be read. */
  closures: Closure[]
  problems: ConfigProblem[]
}

export const noSources: ConfigSources = { sources: [], closures: [], problems: [] }

/** Most bytes of a file with settings. */
const sizeLimit = 1_048_576

/**
 * The text of a file with settings, without a byte order mark; null when it is not there.
 * @param within real path in which it must really lie; null: anywhere
 * @throws what `unreadableReason` tells
 */
export async function readSettingsText(file: string, within: string | null): Promise<string | null> {
  try {
    if (within !== null && !isWithin(within, await realpath(file))) {
      throw new UnfitFileError("is a link that leads out of the project")
    }
    return (await readBoundedFile(file, sizeLimit)).toString("utf8").replace(/^\uFEFF/, "")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ENOENT" || code === "ENOTDIR") return null
    throw error
  }
}

interface UserWithPrograms extends DefiningUser {
  programs: OtherPrograms
}

/** The user's own level of configuration. */
export function userPlace(user: UserWithPrograms): ConfigPlace {
  const directory = userConfigDirectory(user)
  const settings = { docket: filesIn(directory, "docket"), others: user.programs.userSettings(user) }
  return { directory, settings, agents: userDefinitionPlaces("agent", user) }
}

/** The levels of a project, without the user's own. */
export function projectPlaces(levels: readonly string[], user: UserWithPrograms): ConfigPlace[] {
  const own = userConfigDirectory(user)
  return levels
    .filter((directory) => directory !== own)
    .map((directory) => ({
      directory,
      settings: {
        docket: [...filesIn(directory, "docket"), ...filesIn(directory, ".docket/docket")],
        others: user.programs.projectSettings(directory),
      },
      agents: projectDefinitionPlaces("agent", directory, user),
    }))
}

const filesIn = (directory: string, name: string) => [join(directory, `${name}.json`), join(directory, `${name}.jsonc`)]

/**
 * Reads every configuration file of the places, in their order. At one level what is written for other programs counts
 * less than what is written for Docket, Markdown files count more than the settings of the same program, and settings of
 * other programs count only where Docket's are not there.
 *
 * @param where.within real path in which the files must really lie; links that lead out of it are not followed. Null:
 *   anywhere.
 */
export async function readConfigSources(places: ConfigPlace[], where: SourcesPlace): Promise<ConfigSources> {
  const found: ConfigSources = { sources: [], closures: [], problems: [] }
  for (const { settings, agents } of places) {
    const docket: ConfigSources = { sources: [], closures: [], problems: [] }
    const hasDocketSettings = await addSettings(docket, settings.docket, where)
    await addAgents(found, agents, { ...where, origin: "claude" })
    if (!hasDocketSettings) await addSettings(found, settings.others, where)
    await addAgents(found, agents, { ...where, origin: "opencode" })
    found.sources.push(...docket.sources)
    found.closures.push(...docket.closures)
    found.problems.push(...docket.problems)
    await addAgents(found, agents, { ...where, origin: "docket" })
  }
  return found
}

interface SourcesPlace {
  within: string | null
  glance: Glance
}

async function addAgents(
  found: ConfigSources,
  places: readonly DefinitionPlace[],
  { origin, within, glance }: SourcesPlace & { origin: DefinitionOrigin },
): Promise<void> {
  const ofOrigin = await glance.present(
    places.filter((place) => place.origin === origin),
    directoryOf,
  )
  for (const one of await readDefinitions(ofOrigin, within)) {
    const { file, name } = one
    if ("text" in one) {
      found.sources.push({ file, directory: one.level, agent: { name: one.name, origin: one.origin }, text: one.text })
    } else if (!one.isGone) {
      const unusable = name === null ? null : `${file} ${one.reason}`
      addUnreadable(found, file, one.reason, { ...askingFor(name), unusable })
    }
  }
}

/** Adds those that are there. False when none is. */
async function addSettings(
  found: ConfigSources,
  files: readonly string[],
  { within, glance }: SourcesPlace,
): Promise<boolean> {
  let isThere = false
  for (const file of await glance.present(files, (name) => name))
    if (await addSettingsFile(found, file, within)) isThere = true
  return isThere
}

/** False when the file is not there; one that cannot be read is. */
async function addSettingsFile(found: ConfigSources, file: string, within: string | null): Promise<boolean> {
  try {
    const text = await readSettingsText(file, within)
    if (text === null) return false
    found.sources.push({ file, directory: dirname(file), agent: null, text })
    return true
  } catch (error) {
    addUnreadable(found, file, unreadableReason(error), askingFor(null))
    return true
  }
}

/** Reports that a file cannot be read, and withholds what it may have restricted. */
function addUnreadable(found: ConfigSources, file: string, reason: string, closure: Closure): void {
  const consequence = closure.unusable === null ? "Everything is asked" : `The agent "${closure.agent}" is left out`
  found.problems.push({ file, line: null, column: null, message: `${reason}. ${consequence} until this is mended.` })
  found.closures.push(closure)
}

export interface OverrideInput {
  home: string
  env: Record<string, string | undefined>
  /** The values of `--config` in order: absolute files, or settings as JSON. */
  commandLine?: readonly string[]
  /** Reads the configuration of other programs, beside Docket's own. */
  programs: OtherPrograms
}

/** What gives settings besides the files at their places, and the name that reports show when it gives no file. */
interface Giver {
  layer: "environment" | "command-line"
  name: string
}

/**
 * What the user sets for one service alone: the file that DOCKET_CONFIG names, DOCKET_CONFIG_CONTENT, then the command
 * line. Relative paths in settings without a file start at the home directory. Where a named file cannot be read,
 * everything is asked: nobody knows what it would have restricted.
 */
export async function readOverrides({ env, home, commandLine = [] }: OverrideInput): Promise<ConfigSources> {
  const found: ConfigSources = { sources: [], closures: [], problems: [] }
  const addText = ({ layer, name }: Giver, text: string) => {
    found.sources.push({ file: name, layer, directory: home, agent: null, text })
  }
  const addFile = async ({ layer, name }: Giver, named: string) => {
    const file = named.startsWith("~/") ? join(home, named.slice(2)) : named
    if (!isAbsolute(file)) {
      addUnreadable(found, name, `names "${named}"; write the whole path of a file`, askingFor(null))
      return
    }
    try {
      const text = (await readBoundedFile(file, sizeLimit)).toString("utf8").replace(/^\uFEFF/, "")
      found.sources.push({ file, layer, directory: dirname(file), agent: null, text })
    } catch (error) {
      addUnreadable(found, file, `${unreadableReason(error)}, though ${name} names it`, askingFor(null))
    }
  }
  if (env.DOCKET_CONFIG) await addFile({ layer: "environment", name: "DOCKET_CONFIG" }, env.DOCKET_CONFIG)
  const inline: Giver = { layer: "environment", name: "DOCKET_CONFIG_CONTENT" }
  if (env.DOCKET_CONFIG_CONTENT) addText(inline, env.DOCKET_CONFIG_CONTENT)
  for (const given of commandLine) {
    await (given.trimStart().startsWith("{") ? addText : addFile)({ layer: "command-line", name: "--config" }, given)
  }
  return found
}
