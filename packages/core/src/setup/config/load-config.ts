import { join, resolve } from "node:path"
import { mcpPrefix } from "../../ground/schema/mcp-config.ts"
import type { Closure, ConfigCeiling, ConfigProblem } from "./config-report.ts"
import { textDigest } from "./digest.ts"
import { absoluteInstruction, type FilledIn, fillInAll } from "./fill-in-config.ts"
import { judgeProject } from "./judge-project.ts"
import { type LoadConfigInput, type LoadedConfig, projectEnv } from "./loaded-config.ts"
import { mcpNamesIn } from "./mcp-names-in.ts"
import { mergeConfig } from "./merge-config.ts"
import type { Denial, OtherPrograms } from "./other-programs.ts"
import { type ParsedSource, parseConfigSource } from "./parse-config-source.ts"
import {
  type ConfigSources,
  noSources,
  type OverrideInput,
  projectPlaces,
  readConfigSources,
  readOverrides,
  userPlace,
} from "./read-config-sources.ts"
import { substitute } from "./references.ts"
import { seeProject } from "./seen-project.ts"
import { glanceAtUser, userConfigDirectory } from "./user-directory.ts"
import { withoutReach } from "./without-reach.ts"

/** Ids of the providers that ship with Docket. */
const builtinProviders = ["anthropic", "openai", "google"]

/**
 * Reads every configuration that counts for a directory, lowest priority first: the user's docket.json, docket.jsonc and
 * Markdown files, then those from the worktree's root down to the directory. Markdown files written for other programs
 * count less than what is written for Docket at the same level ({@link readConfigSources}). What the environment and the
 * command line give stands above all files.
 *
 * What else the project brings is found by `finders`. The project's files count as written only while the user trusts
 * exactly their content, and then lift nothing that the user's own files deny. Otherwise they can only make permissions
 * stricter, and all else in them is a problem. A malformed file is left out as a whole and reported; the rest counts.
 * Runs nothing and calls no network. Never throws for what a file contains.
 */
export async function loadConfig(input: LoadConfigInput): Promise<LoadedConfig> {
  const { programs } = input
  const { home, project: at } = input
  const worktree = resolve(at?.worktree ?? home)
  const seen = at === null ? null : await seeProject({ worktree, directory: resolve(at.directory) })
  const userGlance = glanceAtUser(input)
  const [ownSources, overrideSources, projectSources, others] = await Promise.all([
    readConfigSources([userPlace(input)], { within: null, glance: userGlance }),
    readOverrides(input),
    seen === null
      ? noSources
      : readConfigSources(projectPlaces(seen.namedLevels, input), { ...seen, within: seen.top }),
    programs.userServers(input, at === null ? null : { worktree }),
  ])
  const named = [
    ...[ownSources, overrideSources, projectSources].flatMap(({ sources }) => sources.flatMap(mcpNamesIn)),
    ...others.servers.map(({ name }) => name),
  ]
  const toolFiles = [...((await input.toolFileNames?.(seen, userGlance)) ?? []), ...named.map(mcpPrefix)]
  const options = { programs, toolFiles }
  const own = await parseAll(ownSources, options)
  const overrides = await parseAll(overrideSources, options)
  const below = await fillInAll(own.parsed, { ...input, references: null })
  const above = await fillInAll(overrides.parsed, { ...input, references: null })
  const user: LoadedConfig = {
    config: mergeConfig(below.config, above.config),
    files: own.files,
    problems: [...own.problems, ...below.problems, ...overrides.problems, ...above.problems, ...others.problems],
    otherServers: others.servers,
    programs: new Map(),
    closures: [...own.closures, ...overrides.closures],
    trust: { state: "nothing", directory: null, hash: null, entries: [] },
    ceilings: [],
    texts: own.texts,
    provided: [],
    heldHooks: [],
    heldServers: [],
    digests: [],
    usualFiles: [userConfigDirectory(input), ...(seen === null ? [] : [seen.worktree])].map((directory) =>
      join(directory, "docket.json"),
    ),
    sources: below.sources,
    others: [],
    denials: [],
  }
  if (seen === null) return withOverrides(user, above)
  const configured = [user, above].flatMap(({ config }) => Object.keys(config.provider ?? {}))
  const providers = new Set([...builtinProviders, ...configured])
  const limitReach = (source: ParsedSource) => (input.isShared ? withoutReach(source, providers) : source)
  const reading = parseAll(projectSources, options, limitReach)
  const byUser = [...(user.config.instructions ?? []), ...(above.config.instructions ?? [])]
  const instructed = async () => [...byUser, ...(await instructionsOf((await reading).parsed, input))]
  const [project, other, ...provided] = await Promise.all([
    reading,
    programs.readProject(seen.namedLevels, { ...seen, home }),
    ...(input.finders ?? []).map((find) => find({ ...seen, home, named: instructed })),
  ])
  const read: LoadedConfig = {
    ...user,
    files: [...user.files, ...project.files],
    texts: new Map([...user.texts, ...project.texts]),
    problems: [
      ...user.problems,
      ...project.problems,
      ...other.problems,
      ...provided.flatMap(({ problems }) => problems),
    ],
    denials: other.denials,
    trust: { ...user.trust, directory: seen.top },
  }
  const judged = await judgeProject(input, read, {
    ...project,
    files: provided.flatMap(({ files }) => files),
    providers,
  })
  return withOverrides(
    {
      ...judged,
      ceilings: [...judged.ceilings, ...ceilingsOf(other.denials)],
      closures: [...judged.closures, ...other.closures],
      others: await other.files(judged.provided),
    },
    above,
  )
}

/** The denials as rules that nothing exceeds; none where nothing is denied. */
function ceilingsOf(denials: readonly Denial[]): ConfigCeiling[] {
  if (denials.length === 0) return []
  const byTool = Map.groupBy(denials, ({ permission }) => permission)
  const permission = [...byTool].map(([tool, rules]) => [
    tool,
    Object.fromEntries(rules.map(({ pattern }) => [pattern, "deny" as const])),
  ])
  return [{ only: "denials", rules: { permission: Object.fromEntries(permission) } }]
}

/** The user's own configuration, without any project's. */
export function loadUserConfig(input: OverrideInput): Promise<LoadedConfig> {
  return loadConfig({ ...input, project: null, trustedIn: async () => [] })
}

/** Lays what the user gives for this service over all files. */
function withOverrides(loaded: LoadedConfig, { config, sources }: FilledIn): LoadedConfig {
  // What a project says of the sandbox only makes it tighter, and is judged with these already.
  const { sandbox: _judged, ...rest } = config
  return {
    ...loaded,
    config: mergeConfig(loaded.config, rest),
    files: [...loaded.files, ...sources.map(({ file }) => file)],
    sources: [...loaded.sources, ...sources],
  }
}

/** The files that a project's configuration names as instructions, before its trust is known. */
async function instructionsOf(parsed: readonly ParsedSource[], input: LoadConfigInput): Promise<string[]> {
  const { home } = input
  // What depends on another file is known once the configuration counts.
  const readReference = async (name: string) => ({ text: `{file:${name}}` })
  const named = parsed.map(async ({ config, source }) => {
    const { value } = await substitute(config?.instructions ?? [], { env: projectEnv(input), readReference })
    // The same list with other texts.
    return (value as string[]).map((entry) => absoluteInstruction(entry, { directory: source.directory, home }))
  })
  return (await Promise.all(named)).flat()
}

interface ParsedFiles {
  parsed: ParsedSource[]
  files: string[]
  texts: LoadedConfig["texts"]
  problems: ConfigProblem[]
  closures: Closure[]
}

async function parseAll(
  { sources, problems, closures }: ConfigSources,
  options: { programs: OtherPrograms; toolFiles: readonly string[] },
  restrict: (parsed: ParsedSource) => ParsedSource = (parsed) => parsed,
): Promise<ParsedFiles> {
  const parsed = (await Promise.all(sources.map((source) => parseConfigSource(source, options)))).map(restrict)
  return {
    parsed,
    files: sources.map(({ file }) => file),
    texts: new Map(sources.map(({ file, text }) => [file, textDigest(text)])),
    problems: [...problems, ...parsed.flatMap((source) => source.problems)],
    closures: [...closures, ...parsed.flatMap((source) => source.closures)],
  }
}
