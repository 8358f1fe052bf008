import { realpath } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"
import { isWithin } from "../file/is-within.ts"
import type { ConfigTrust } from "../schema/index.ts"
import type { Closure } from "./closure.ts"
import { type ConfigCeiling, configCeiling } from "./config-ceiling.ts"
import { configEntries, needsTrust } from "./config-entries.ts"
import { configHash } from "./config-hash.ts"
import type { ConfigProblem, ConfigReport, ConfigTrustState } from "./config-report.ts"
import { type FillInSources, fillInConfig } from "./fill-in-config.ts"
import { mergeConfig } from "./merge-config.ts"
import { type ParsedSource, parseConfigSource } from "./parse-config-source.ts"
import { readProjectReferences, referencedFile } from "./project-references.ts"
import { type ConfigPlace, readConfigSources } from "./read-config-sources.ts"
import { liftingKeys, tightenSandbox, withAbsolutePlaces } from "./sandbox-config.ts"
import type { Config } from "./schema.ts"
import { userConfigDirectory } from "./user-directory.ts"

export interface LoadConfigInput {
  home: string
  env: Record<string, string | undefined>
  /** Null for the user's own configuration alone. */
  project: {
    /** Where the session works; its docket.json wins. */
    directory: string
    /** The git top level, or the directory itself: the upward search ends here. */
    worktree: string
  } | null
  /** What the user trusts in a directory. Asked only where a project configures something. */
  trustedIn(directory: string): Promise<Pick<ConfigTrust, "hash" | "entries">[]>
}

export interface LoadedConfig extends ConfigReport {
  ceilings: ConfigCeiling[]
  /** Of each entry of `trust`, in the same order. */
  digests: string[]
  /** What each file that counts adds, filled in, lowest priority first. */
  sources: { file: string; config: Config }[]
}

const builtinProviders = ["anthropic", "openai", "google"]

/** Directories from `worktree` down to `directory`, both included. Only `directory` when it lies elsewhere. */
export function directoriesBetween(worktree: string, directory: string): string[] {
  if (!isWithin(worktree, directory)) return [directory]
  const segments = relative(worktree, directory).split(sep).filter(Boolean)
  return [worktree, ...segments.map((_, index) => join(worktree, ...segments.slice(0, index + 1)))]
}

/**
 * Reads every configuration that counts for a directory, lowest priority first: the user's docket.json,
 * docket.jsonc and agents/*.md, then from the worktree's root down to the directory docket.json,
 * docket.jsonc and .docket/agents/*.md.
 *
 * The project's files count as written only while the user trusts exactly their content, and then lift nothing that the
 * user's own files deny. Otherwise they can only make permissions stricter, and all else in them is a problem. A
 * malformed file is left out as a whole and reported; the rest counts. Runs nothing and calls no network. Never throws
 * for what a file contains.
 */
export async function loadConfig(input: LoadConfigInput): Promise<LoadedConfig> {
  const globalDirectory = userConfigDirectory(input)
  const own = await readLevels([{ directory: globalDirectory, agents: join(globalDirectory, "agents") }], null)
  const ownConfig = await fillInAll(own.parsed, { ...input, references: null })
  const user: LoadedConfig = {
    config: ownConfig.config,
    files: own.files,
    problems: [...own.problems, ...ownConfig.problems],
    closures: own.closures,
    trust: { state: "nothing", directory: null, hash: null, entries: [] },
    ceilings: [],
    digests: [],
    sources: ownConfig.sources,
  }
  if (input.project === null) return user
  const worktree = resolve(input.project.worktree)
  const places = directoriesBetween(worktree, resolve(input.project.directory))
    .filter((directory) => directory !== resolve(globalDirectory))
    .map((directory) => ({ directory, agents: join(directory, ".docket", "agents") }))
  const project = await readLevels(places, worktree)
  const read: LoadedConfig = {
    ...user,
    files: [...user.files, ...project.files],
    problems: [...user.problems, ...project.problems],
    closures: [...user.closures, ...project.closures.map(withoutAgent)],
    trust: { ...user.trust, directory: await realpath(worktree).catch(() => worktree) },
  }
  if (project.parsed.length === 0) return read
  const judged = await judgeProject(input, read, project.parsed)
  return judged.trust.state === "trusted" ? { ...judged, closures: [...user.closures, ...project.closures] } : judged
}

interface Levels {
  parsed: ParsedSource[]
  files: string[]
  problems: ConfigProblem[]
  closures: Closure[]
}

async function readLevels(places: ConfigPlace[], within: string | null): Promise<Levels> {
  const { sources, problems, closures } = await readConfigSources(places, within)
  const parsed = await Promise.all(sources.map(parseConfigSource))
  return {
    parsed,
    files: sources.map(({ file }) => file),
    problems: [...problems, ...parsed.flatMap((source) => source.problems)],
    closures: [...closures, ...parsed.flatMap((source) => source.closures)],
  }
}

async function fillInAll(
  parsed: ParsedSource[],
  from: FillInSources,
): Promise<Pick<LoadedConfig, "config" | "problems" | "sources">> {
  const filledIn = await Promise.all(parsed.map((source) => fillInConfig(source, from)))
  const sources = parsed.map(({ source }, index) => ({ file: source.file, config: filledIn[index]?.config ?? {} }))
  const config = filledIn.reduce((low: Config, high) => mergeConfig(low, high.config ?? {}), {})
  return { config, problems: filledIn.flatMap(({ problems }) => problems), sources }
}

/** The agents of a project that nobody trusts are not used, so none of them can be missing. */
function withoutAgent(closure: Closure): Closure {
  return { ...closure, unusable: null }
}

/** Adds what counts of a project's configuration to the user's own. */
async function judgeProject(input: LoadConfigInput, user: LoadedConfig, parsed: ParsedSource[]): Promise<LoadedConfig> {
  const worktree = user.trust.directory ?? input.home
  const references = await readProjectReferences(parsed, { home: input.home, worktree })
  const providers = new Set([...builtinProviders, ...Object.keys(user.config.provider ?? {})])
  const context = { ...input, worktree, references, providers }
  const digested = (await Promise.all(parsed.map((source) => configEntries(source, context)))).flat()
  const hash = configHash(
    worktree,
    parsed.map(({ source }) => source),
    references,
  )
  const trusted = await input.trustedIn(worktree)
  const known = new Set(trusted.flatMap(({ entries = [] }) => entries))
  const entries = digested.map(({ digest, ...entry }) => ({ ...entry, known: known.has(digest) }))
  const digests = digested.map(({ digest }) => digest)
  const hashes = trusted.map(({ hash }) => hash)
  const trust = { state: trustState(hash, hashes, entries.some(needsTrust)), directory: worktree, hash, entries }
  const { sandbox, lifting } = judgeSandbox(user.config, parsed, input.home)
  if (trust.state === "trusted") {
    const { config, problems, sources } = await fillInAll(parsed, { ...input, references })
    return {
      ...user,
      sources: [...user.sources, ...sources],
      config: { ...mergeConfig(user.config, config), ...sandbox },
      problems: [...user.problems, ...problems, ...lifting],
      trust,
      ceilings: [configCeiling(user.config, "denials")],
      digests,
    }
  }
  const refused = entries.filter(needsTrust).map(({ file, line, column, path }) => {
    return { file, line, column, message: refusal(path) }
  })
  const merged = parsed.reduce((low: Config, high) => mergeConfig(low, high.config ?? {}), {})
  const ceilings = [configCeiling(merged, "all")]
  const problems = [...user.problems, ...refused, ...lifting]
  return { ...user, config: { ...user.config, ...sandbox }, problems, trust, ceilings, digests }
}

/** The sandbox as each file of a project makes it tighter, trusted or not; and what these would lift. */
function judgeSandbox(
  { sandbox: own }: Config,
  parsed: readonly ParsedSource[],
  home: string,
): { sandbox: Pick<Config, "sandbox">; lifting: ConfigProblem[] } {
  const asking = parsed.flatMap(({ config, source, place }) => {
    const absolute = (name: string) => referencedFile(name, { directory: source.directory, home })
    return config?.sandbox ? [{ file: source.file, place, asked: withAbsolutePlaces(config.sandbox, absolute) }] : []
  })
  const lifting = asking.flatMap(({ file, place, asked }) =>
    liftingKeys(asked, own).map((path): ConfigProblem => {
      const message = `"sandbox.${path.join(".")}" is left out: a project can only make the sandbox tighter. Set it in your own docket.json.`
      return { file, ...place(["sandbox", ...path]), message }
    }),
  )
  if (asking.length === 0) return { sandbox: {}, lifting }
  return { sandbox: { sandbox: asking.reduce((tight, { asked }) => tightenSandbox(tight, asked), own ?? {}) }, lifting }
}

function trustState(hash: string, trusted: string[], anythingToTrust: boolean): ConfigTrustState {
  if (trusted.includes(hash)) return "trusted"
  if (!anythingToTrust) return "nothing"
  return trusted.length > 0 ? "changed" : "untrusted"
}

function refusal(path: string[]): string {
  return `"${path.join(".")}" is left out: you do not trust this project's configuration as it is now. Look at it and trust it (in the browser, or with --trust), or set this in your own docket.json.`
}
