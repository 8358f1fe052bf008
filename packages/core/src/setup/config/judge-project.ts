import { relative } from "node:path"
import { repositoryName } from "../../ground/git/repository-name.ts"
import { HooksConfig } from "../../ground/schema/hooks-config.ts"
import type { ConfigTrust, Project } from "../../ground/schema/index.ts"
import { looseningKeys, tightenSandbox, withAbsolutePlaces } from "../../ground/schema/sandbox-config.ts"
import { configEntries, needsTrust } from "./config-entries.ts"
import {
  type Closure,
  type ConfigEntry,
  type ConfigProblem,
  type ConfigTrustState,
  configCeiling,
} from "./config-report.ts"
import { digestOf } from "./digest.ts"
import { fillInAll } from "./fill-in-config.ts"
import { type LoadConfigInput, type LoadedConfig, projectEnv } from "./loaded-config.ts"
import { mcpNotes } from "./mcp-notes.ts"
import { mergeConfigs } from "./merge-config.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import { type ServerPrograms, serverPrograms } from "./program-files.ts"
import { type JudgedFile, type ProvidedFile, providedDigest, providedEntry } from "./provided-file.ts"
import { type FileReferences, readProjectReferences, referencedFile } from "./references.ts"
import type { Config } from "./schema.ts"

/** Everything that a project provides. */
interface Provided {
  /** The project's configuration, lowest priority first. */
  parsed: ParsedSource[]
  closures: Closure[]
  /** Everything else. */
  files: ProvidedFile[]
  /** Ids of the providers that are there without it. */
  providers: ReadonlySet<string>
}

/** The user's decision about each part. */
interface Judgement
  extends Pick<LoadedConfig, "trust" | "provided" | "digests" | "heldHooks" | "heldServers" | "programs"> {
  configCounts: boolean
  references: FileReferences
  problems: ConfigProblem[]
}

/**
 * The one place that decides what of a project counts, and adds it to the user's own configuration. The project's
 * configuration counts as a whole, every other file by itself, and each only as the user has seen it.
 *
 * @param user with the project's directory as `trust.directory`
 */
export async function judgeProject(
  input: LoadConfigInput,
  user: LoadedConfig,
  project: Provided,
): Promise<LoadedConfig> {
  if (project.parsed.length + project.files.length === 0) {
    return { ...user, closures: closuresWithoutTrust(user, project), trust: await trustInBare(input, user) }
  }
  const { configCounts, references, ...judgement } = await judge(input, user, project)
  const { sandbox, loosening } = judgeSandbox(user.config, project.parsed, input.home)
  const counting = configCounts
    ? await trustedConfig(input, user, { ...project, references })
    : ceilingOnly(user, project)
  return {
    ...user,
    ...judgement,
    ...counting,
    config: { ...counting.config, ...sandbox },
    problems: [...user.problems, ...counting.problems, ...judgement.problems, ...loosening],
  }
}

/** The trust in a project that sets nothing: its own programs, such as those in `node_modules`, run only with it. */
async function trustInBare(input: LoadConfigInput, user: LoadedConfig): Promise<LoadedConfig["trust"]> {
  const { directory } = user.trust
  if (directory === null) return user.trust
  const name = trustedName(input.project, directory)
  const nothing = { name, parsed: [], references: new Map(), programs: new Map() }
  const hash = configHash(directory, nothing)
  const trusted = await input.trustedIn(name)
  return { ...user.trust, hash, state: trusted.some((one) => one.hash === hash) ? "trusted" : "nothing" }
}

async function judge(
  input: LoadConfigInput,
  user: LoadedConfig,
  { parsed, files, providers }: Provided,
): Promise<Judgement> {
  const worktree = user.trust.directory ?? input.home
  const references = await readProjectReferences(parsed, { home: input.home, worktree })
  const programs = await serverPrograms(worktree, parsed)
  const context = { ...input, env: projectEnv(input), worktree, references, providers, programs }
  const digested = (await Promise.all(parsed.map((source) => configEntries(source, context)))).flat()
  const name = trustedName(input.project, worktree)
  const configDigest = configHash(worktree, { name, parsed, references, programs })
  const fileDigests = files.map((file) => providedDigest(file, worktree))
  const hash = fileDigests.length === 0 ? configDigest : digestOf([configDigest, fileDigests])

  const trusted = await input.trustedIn(name)
  const known = new Set(trusted.flatMap(({ hash, entries = [] }) => [hash, ...entries]))
  const configCounts = known.has(hash) || known.has(configDigest)
  const provided = files.map((file, at) => ({ ...file, trusted: known.has(hash) || known.has(fileDigests[at] ?? "") }))
  const settings = digested.map(({ digest, ...entry }): ConfigEntry => {
    return { ...entry, known: known.has(digest), counts: configCounts || !needsTrust(entry) }
  })
  const entries = [
    ...settings,
    ...provided.map((file): ConfigEntry => ({ ...providedEntry(file), known: file.trusted, counts: file.trusted })),
  ]
  const hookFiles = withHooks(parsed, configCounts, provided)
  const stands = {
    waits: entries.some(({ counts }) => !counts),
    counts: known.has(hash) || entries.some(needsTrust),
  }
  return {
    configCounts,
    references,
    programs,
    provided,
    trust: { state: trustState(stands, trusted), directory: worktree, hash, entries },
    problems: [
      ...settings.filter(({ counts }) => !counts).map(refusedKey),
      ...provided.filter(({ trusted }) => !trusted).map(refusedFile),
    ],
    digests: [
      configDigest,
      ...digested.map(({ digest }) => digest),
      ...fileDigests,
      ...hookFiles.map(({ file }) => hooksPlace(worktree, file)),
    ],
    heldHooks: hookFiles.filter(({ counts, file }) => !counts && known.has(hooksPlace(worktree, file))),
    heldServers: configCounts ? [] : serversIn(parsed),
  }
}

function serversIn(parsed: readonly ParsedSource[]): LoadedConfig["heldServers"] {
  return parsed.flatMap(({ config, source: { file }, place }) =>
    Object.entries(config?.mcp ?? {}).flatMap(([name, entry]) =>
      "type" in entry ? [{ name, file, line: place(["mcp", name]).line, notes: mcpNotes(entry) }] : [],
    ),
  )
}

/** The files of a project with hooks, and whether they count as they are. */
function withHooks(parsed: readonly ParsedSource[], configCounts: boolean, provided: readonly JudgedFile[]) {
  const ofConfig = parsed.flatMap(({ config, source: { file } }) =>
    config?.hooks === undefined ? [] : [{ file, name: null, hooks: config.hooks, counts: configCounts }],
  )
  const ofPrograms = provided.flatMap(({ kind, name, file, text, trusted }) => {
    const hooks = kind === "hook" ? HooksConfig.safeParse(JSON.parse(text)).data : undefined
    return hooks === undefined ? [] : [{ file, name, hooks, counts: trusted }]
  })
  return [...ofConfig, ...ofPrograms]
}

/** Says of a file that its hooks were trusted, whatever they were. */
function hooksPlace(worktree: string, file: string): string {
  return digestOf(["hooks of", relative(worktree, file)])
}

/** What is trusted: a directory; or a repository, wherever its files are. */
export function trustedName(
  project: { repository?: Project["repository"] | undefined } | null,
  directory: string,
): string {
  return project?.repository === undefined ? directory : repositoryName(project.repository)
}

/**
 * Digest of a project's configuration: its directory, its configuration files, the files in it that they name or that
 * commands of its servers name, and the paths of files outside that they name (SHA-256, hex).
 */
function configHash(
  worktree: string,
  {
    name,
    parsed,
    references,
    programs,
  }: { name: string; parsed: readonly ParsedSource[]; references: FileReferences; programs: ServerPrograms },
): string {
  const files = parsed.map(({ source: { file, text } }) => [relative(worktree, file), text])
  const named = [...references].map(([file, found]) => [relative(worktree, file), found])
  const ran = [...programs.values()].flat().map(({ file, sha256 }) => [relative(worktree, file), sha256])
  return digestOf([name, files, named, ...(ran.length > 0 ? [ran] : [])])
}

/** @param stands whether something waits for trust, and whether something counts by it */
function trustState(
  { waits, counts }: { waits: boolean; counts: boolean },
  trusted: readonly Pick<ConfigTrust, "hash">[],
): ConfigTrustState {
  if (waits) return trusted.length > 0 ? "changed" : "untrusted"
  return counts ? "trusted" : "nothing"
}

type Counting = Pick<LoadedConfig, "config" | "problems" | "closures" | "sources" | "ceilings">

/** The user's configuration and the project's, which lifts nothing that the user's own denies. */
async function trustedConfig(
  input: LoadConfigInput,
  user: LoadedConfig,
  { parsed, closures, references }: Provided & { references: FileReferences },
): Promise<Counting> {
  const filledIn = await fillInAll(parsed, { ...input, env: projectEnv(input), references }, user.sources)
  return {
    ...filledIn,
    closures: [...user.closures, ...closures],
    ceilings: [configCeiling(user.config, "denials")],
  }
}

/** The user's configuration, and the project's rules as what none may exceed. */
function ceilingOnly(user: LoadedConfig, project: Provided): Counting {
  const merged = mergeConfigs(project.parsed.map(({ config }) => config ?? {}))
  return {
    config: user.config,
    problems: [],
    closures: closuresWithoutTrust(user, project),
    sources: user.sources,
    ceilings: [configCeiling(merged, "all")],
  }
}

/** The agents of an untrusted project are not used, so none of them can be missing. */
function closuresWithoutTrust(user: LoadedConfig, { closures }: Provided): Closure[] {
  return [...user.closures, ...closures.map((closure) => ({ ...closure, unusable: null }))]
}

const remedy =
  "you do not trust what this project brings as it is now. Look at it and trust it (in the browser, or with --trust)"

function refusedKey({ file, line, column, path }: ConfigEntry): ConfigProblem {
  const message = `"${path.join(".")}" is left out: ${remedy}, or set this in your own docket.json.`
  return { file, line, column, message, waits: true }
}

const kindWords = {
  command: "the command",
  skill: "the skill",
  "instruction-file": "the instructions file",
  tool: "the tool",
  "mcp-server": "the MCP server",
  plugin: "the plugin",
  hook: "the hooks of",
}

function refusedFile({ kind, name, file }: JudgedFile): ConfigProblem {
  return { file, line: 1, column: 1, message: `${kindWords[kind]} "${name}" is left out: ${remedy}.`, waits: true }
}

/** The sandbox as a project's files make it tighter, trusted or not; and a problem for each key that loosens it. */
function judgeSandbox(
  { sandbox: own }: Config,
  parsed: readonly ParsedSource[],
  home: string,
): { sandbox: Pick<Config, "sandbox">; loosening: ConfigProblem[] } {
  const asking = parsed.flatMap(({ config, source, place }) => {
    const absolute = (name: string) => referencedFile(name, { directory: source.directory, home })
    return config?.sandbox ? [{ file: source.file, place, asked: withAbsolutePlaces(config.sandbox, absolute) }] : []
  })
  const loosening = asking.flatMap(({ file, place, asked }) =>
    looseningKeys(own, asked).map((path): ConfigProblem => {
      const message = `"sandbox.${path.join(".")}" is left out: a project can only make the sandbox tighter. Set it in your own docket.json.`
      return { file, ...place(["sandbox", ...path]), message }
    }),
  )
  if (asking.length === 0) return { sandbox: {}, loosening }
  const sandbox = asking.reduce((tight, { asked }) => tightenSandbox(tight, asked), own ?? {})
  return { sandbox: { sandbox }, loosening }
}
