import { relative } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { acpNotes, shownAcp } from "./acp-notes.ts"
import { bundledPackages } from "./bundled-packages.ts"
import type { ConfigEntry, ConfigEntryKind } from "./config-report.ts"
import { digestOf } from "./digest.ts"
import { isInstructionAddress } from "./fill-in-config.ts"
import { isLoopbackURL } from "./loopback.ts"
import { mcpNotes, shownMcp } from "./mcp-notes.ts"
import type { ParsedSource } from "./parse-config-source.ts"
import { isPluginPath, projectPluginPath } from "./plugin-path.ts"
import { agentProgramKey, programsKey, type ServerPrograms } from "./program-files.ts"
import { shownText, templateNotes } from "./provided-file.ts"
import type { ConfigSource } from "./read-config-sources.ts"
import {
  type ConfigLeaf,
  configLeaves,
  type FileReferences,
  type Lookup,
  referencedFile,
  referencesIn,
  substitute,
} from "./references.ts"
import type { Config } from "./schema.ts"

interface EntryContext {
  home: string
  /** Real path of the project's top. */
  worktree: string
  /** Null for a project that reads nothing of the machine. */
  env: Record<string, string | undefined> | null
  references: FileReferences
  /** Ids of providers that ship with Docket or are set in the user's own configuration. */
  providers: ReadonlySet<string>
  programs: ServerPrograms
}

/** An entry with the digest that tells whether the user has trusted it before. */
interface DigestedEntry extends Omit<ConfigEntry, "known" | "counts"> {
  digest: string
}

/** The settings of a project's configuration file, with the place of each value and a note about its effect. */
export async function configEntries(parsed: ParsedSource, context: EntryContext): Promise<DigestedEntry[]> {
  if (!parsed.config) return []
  const filledIn = await fillInProjectFiles(parsed, context)
  const entries = configLeaves(parsed.config).map((leaf) => ({
    file: parsed.source.file,
    ...parsed.place(leaf.path),
    path: leaf.path,
    ...shownValue(leaf),
    kind: entryKind(leaf),
    note: note(leaf, filledIn, parsed, context),
    digest: entryDigest(leaf, parsed.source, context),
  }))
  return entries.sort((a, b) => a.line - b.line || a.column - b.column)
}

/** True when it counts only with the user's trust. */
export function needsTrust({ kind }: Pick<ConfigEntry, "kind">): boolean {
  return kind !== "permission-restricts"
}

function entryKind({ path, value }: ConfigLeaf): ConfigEntryKind {
  const [section = "", , key] = path
  // A project's sandbox settings can only restrict.
  if (section === "sandbox") return "permission-restricts"
  const permission = section === "permission" || (section === "agent" && key === "permission")
  if (permission) return value === "allow" ? "permission-allows" : "permission-restricts"
  if (section === "agent" && key === "tools") return value === false ? "permission-restricts" : "permission-allows"
  if (section === "model" || section === "small_model" || (section === "agent" && key === "model")) return "model"
  if (section === "disabled_providers" || section === "enabled_providers") return "provider"
  if (section === "provider" || section === "instructions" || section === "command") return section
  if (section === "mcp") return "mcp-server"
  if (section === "hooks") return "hook"
  return section === "agent" || section === "default_agent" ? "agent" : "other"
}

/** The value as it is written. A key or header that is written out in the file is not repeated here. */
function shownValue({ path: [section, , options, key], value }: ConfigLeaf): Pick<ConfigEntry, "value" | "rest"> {
  const text =
    typeof value === "string"
      ? value
      : section === "mcp"
        ? shownMcp(value)
        : section === "agent" && options === "acp"
          ? shownAcp(value)
          : JSON.stringify(value)
  const mayBeSecret = section === "provider" && options === "options" && key !== "baseURL" && typeof value === "string"
  if (mayBeSecret && !/\{(?:env|file):/.test(text)) return { value: "(as the file says)", rest: null }
  return shownText(text)
}

/**
 * The config with references to files inside the project filled in. Files outside are not read before the user trusts
 * the project: such references stay as written, and the notes assume the worst.
 */
async function fillInProjectFiles({ config, source }: ParsedSource, context: EntryContext): Promise<Config> {
  const { env, references, home } = context
  const readReference = async (name: string): Promise<Lookup> => {
    const found = references.get(referencedFile(name, { directory: source.directory, home }))
    return found && "text" in found ? found : { text: `{file:${name}}` }
  }
  // The same shape as before, with other texts.
  return (await substitute(config, { env, readReference })).value as Config
}

function note(leaf: ConfigLeaf, filledIn: Config, parsed: ParsedSource, context: EntryContext): string | null {
  const { directory } = parsed.source
  const notes = [
    ...providerNotes(leaf, placeOf(parsed, filledIn, leaf.path[1] ?? "", context), context),
    ...instructionNotes(leaf, filledIn, directory, context),
    ...commandNotes(leaf, filledIn),
    ...(leaf.path[0] === "mcp" ? mcpNotes(leaf.value) : []),
    ...acpNotes(leaf),
    ...pluginNotes(leaf),
    ...hookNotes(leaf, filledIn),
    ...readingNotes(leaf, directory, context),
  ]
  return notes.length === 0 ? null : notes.join(" ")
}

/** Where the requests of a provider go, as far as this file says. */
interface ProviderPlace {
  /** The address of the provider is known to be on this machine. */
  local: boolean
  /** The package of the provider ships with Docket and sends only to the configured address. */
  bundled: boolean
}

function placeOf({ config, source }: ParsedSource, filledIn: Config, id: string, context: EntryContext): ProviderPlace {
  const { npm, options } = filledIn.provider?.[id] ?? {}
  const url = options?.baseURL
  const unreadFiles = outsideFiles(config?.provider?.[id]?.options?.baseURL, source.directory, context)
  return {
    local: url !== undefined && unreadFiles.length === 0 && isLoopbackURL(url),
    bundled: npm === undefined || bundledPackages.includes(npm),
  }
}

function providerNotes(
  { path, value }: ConfigLeaf,
  { local, bundled }: ProviderPlace,
  { providers }: EntryContext,
): string[] {
  const [section, id = "", part, key] = path
  if (section !== "provider") return []
  if (part === "options" && key === "baseURL") {
    const address = `An address on ${local ? "this" : "another"} machine: it receives`
    // Another program at that address is not the one that the user gave the key to.
    if (providers.has(id)) return [`${address} your key for "${id}" and what you write to its models.`]
    return local && bundled ? [] : [`${address} what you write to its models.`]
  }
  if (part === "npm" && typeof value === "string" && !bundledPackages.includes(value)) {
    const consent = "Code of this package runs with Docket's rights. It is installed only after a separate consent."
    return [
      providers.has(id) ? `${consent} It receives your key for "${id}" and what you write to its models.` : consent,
    ]
  }
  if (local && bundled) return []
  if (part === "env") return ["The key in this variable is sent to another machine."]
  const refersToValue = referencesIn(value, "env").length + referencesIn(value, "file").length > 0
  return part === "options" && refersToValue ? ["It is sent to another machine."] : []
}

function instructionNotes(
  { path: [section, index] }: ConfigLeaf,
  { instructions }: Config,
  directory: string,
  { home, worktree }: EntryContext,
): string[] {
  const pattern = section === "instructions" ? instructions?.[Number(index)] : undefined
  if (pattern === undefined) return []
  if (isInstructionAddress(pattern)) return ["Is fetched from another machine and becomes part of every prompt."]
  if (isWithin(worktree, referencedFile(pattern, { directory, home }))) return []
  return ["Lies outside the project and becomes part of every prompt."]
}

function commandNotes({ path: [section, name = "", key] }: ConfigLeaf, { command }: Config): string[] {
  return section === "command" && key === "template" ? templateNotes(command?.[name]?.template ?? "") : []
}

function pluginNotes({ path: [section], value }: ConfigLeaf): string[] {
  if (section !== "plugin") return []
  const specs = (Array.isArray(value) ? value : []).map((item: unknown) => (Array.isArray(item) ? item[0] : item))
  const files = specs.filter((spec) => typeof spec === "string" && isPluginPath(spec))
  const ofFiles = files.map((file) => `${file}: ${projectPluginPath}`)
  if (specs.length === files.length) return ofFiles
  return [
    ...ofFiles,
    "Code of this package runs beside every turn, and sees and changes what is sent to models and tools. It is installed only after a separate consent.",
  ]
}

/** What the hooks of an event run, and where they send what agents do. */
function hookNotes({ path: [section, event = ""] }: ConfigLeaf, { hooks = {} }: Config): string[] {
  if (section !== "hooks") return []
  const groups = Object.entries(hooks).flatMap(([name, list]) => (name === event ? (list ?? []) : []))
  const notes = groups.flatMap(({ hooks: handlers }) =>
    handlers.map((handler) =>
      handler.type === "command"
        ? `Runs \`${[handler.command, ...(handler.args ?? [])].join(" ")}\` at ${event}.`
        : `Sends what agents do to ${handler.url} at ${event}.`,
    ),
  )
  return [...new Set(notes)]
}

function readingNotes({ value }: ConfigLeaf, directory: string, context: EntryContext): string[] {
  const variables = referencesIn(value, "env").map((name) => `Reads the environment variable ${name}.`)
  const files = outsideFiles(value, directory, context).map((file) => `Reads ${file}, which lies outside the project.`)
  return [...variables, ...files]
}

/** Real paths of the files outside the project that a value names. */
function outsideFiles(value: unknown, directory: string, { home, references }: EntryContext): string[] {
  return referencesIn(value, "file").flatMap((name) => {
    const found = references.get(referencedFile(name, { directory, home }))
    return found && "outside" in found ? [found.outside] : []
  })
}

/**
 * Digest of one setting: its file, keys, whole value, and the files that the value names (SHA-256, hex). A new digest
 * means that the user has not seen this setting.
 */
function entryDigest(
  { path, value }: ConfigLeaf,
  { file, directory }: Pick<ConfigSource, "file" | "directory">,
  { home, worktree, references, programs }: Pick<EntryContext, "home" | "worktree" | "references" | "programs">,
): string {
  const named = referencesIn(value, "file").map((name) => references.get(referencedFile(name, { directory, home })))
  const [section, name = "", key] = path
  const isAgentProgram = section === "agent" && key === "acp"
  const ran =
    section === "mcp"
      ? (programs.get(programsKey(file, name)) ?? [])
      : isAgentProgram
        ? (programs.get(agentProgramKey(file, name)) ?? [])
        : []
  const digests = ran.map((program) => [relative(worktree, program.file), program.sha256])
  return digestOf([relative(worktree, file), path, value, named, ...(digests.length > 0 ? [digests] : [])])
}
