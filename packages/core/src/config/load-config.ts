import { isAbsolute, join, relative, resolve, sep } from "node:path"
import { findNodeAtLocation, parseTree } from "jsonc-parser"
import { readBoundedFile, unreadableReason } from "../file/read-bounded-file.ts"
import type { ConfigProblem, ConfigReport } from "../runtime-port.ts"
import { askingFor, type Closure } from "./closure.ts"
import { keepValid } from "./keep-valid.ts"
import { limitProjectConfig, staysLocal } from "./limit-project-config.ts"
import { listAgentFiles } from "./list-agent-files.ts"
import { mergeConfig } from "./merge-config.ts"
import { parseConfigText } from "./parse-config-text.ts"
import { Config } from "./schema.ts"
import { substitute } from "./substitute.ts"
import { textPosition } from "./text-position.ts"

export interface LoadConfigInput {
  /** Where the session works; its docket.json wins. */
  directory: string
  /** The git top level, or the directory itself: the upward search ends here. */
  worktree: string
  home: string
  env: Record<string, string | undefined>
  /** Holds the user's own docket.json and agents/. Default: `$XDG_CONFIG_HOME/docket` or `~/.config/docket`. */
  globalDirectory?: string
  /** True lifts the limits of limitProjectConfig for this project's files. */
  trusted?: boolean
}

interface Source {
  directory: string
  /** The user's own files may read any variable or file; a project's may not. */
  own: boolean
}

interface LoadState {
  input: LoadConfigInput
  config: Config
  /** Providers known before project files are read, and those that ship with Docket. */
  existing: Set<string>
  files: string[]
  problems: ConfigProblem[]
  closures: Closure[]
}

/** Most bytes of a docket.json, and of an agent's Markdown file. */
const sizeLimit = { config: 1_048_576, agent: 131_072 }

const builtinProviders = ["anthropic", "openai", "google"]

/** Directories from `worktree` down to `directory`, both included. Only `directory` when it lies elsewhere. */
export function directoriesBetween(worktree: string, directory: string): string[] {
  const inside = relative(worktree, directory)
  if (inside.startsWith("..") || isAbsolute(inside)) return [directory]
  const segments = inside.split(sep).filter(Boolean)
  return [worktree, ...segments.map((_, index) => join(worktree, ...segments.slice(0, index + 1)))]
}

/**
 * The text of a file, or null when there is none.
 * @param onUnreadable hears why one that is there cannot be read, as the rest of a sentence about it
 */
async function readText(
  state: LoadState,
  file: string,
  given: { limit: number; onUnreadable(reason: string): Closure },
): Promise<string | null> {
  try {
    const bytes = await readBoundedFile(file, given.limit)
    state.files.push(file)
    return bytes.toString("utf8").replace(/^\uFEFF/, "")
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ENOENT" || code === "ENOTDIR") return null
    const message = unreadableReason(error)
    const closure = given.onUnreadable(message)
    const consequence = closure.unusable === null ? "Everything is asked" : `The agent "${closure.agent}" is left out`
    state.problems.push({ file, line: null, column: null, message: `${message}. ${consequence} until this is mended.` })
    state.closures.push(closure)
    return null
  }
}

/** Instruction patterns are relative to the file that names them. */
function withAbsoluteInstructions(config: Config, directory: string, home: string): Config {
  if (!config.instructions) return config
  const instructions = config.instructions.map((pattern) =>
    pattern.startsWith("~/") ? join(home, pattern.slice(2)) : resolve(directory, pattern),
  )
  return { ...config, instructions }
}

async function addConfigFile(state: LoadState, file: string, source: Source): Promise<void> {
  const text = await readText(state, file, { limit: sizeLimit.config, onUnreadable: () => askingFor(null) })
  if (text === null) return
  const parsed = parseConfigText(file, text)
  state.problems.push(...parsed.problems)
  state.closures.push(...parsed.closures)
  if (!parsed.config) return

  const tree = parseTree(text, [], { allowTrailingComma: true })
  const report = ({ path, message }: { path: string[]; message: string }) => {
    const segments = path.map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))
    const offset = (tree && findNodeAtLocation(tree, segments)?.offset) ?? 0
    state.problems.push({ file, ...textPosition(text, offset), message })
  }

  const limited = source.own
    ? { config: parsed.config, problems: [] }
    : limitProjectConfig(parsed.config, state.existing)
  for (const problem of limited.problems) report(problem)

  const { value, problems } = await substitute(limited.config, {
    directory: source.directory,
    home: state.input.home,
    env: state.input.env,
    within: source.own ? null : state.input.worktree,
    mayReadEnvironment: ([section, id]) =>
      source.own || (section === "provider" && id !== undefined && staysLocal(limited.config.provider?.[id])),
  })
  for (const problem of problems) report(problem)
  // Rights hold no references, so what is left out here restricts nothing.
  const { data, issues } = keepValid(Config, value)
  for (const { path, message } of issues) {
    report({ path: path.map(String), message: `${message} after {env:} and {file:} were filled in; left out` })
  }
  if (data === null) return
  const config = withAbsoluteInstructions(data, source.directory, state.input.home)
  state.config = mergeConfig(state.config, config)
}

async function addAgentFiles(state: LoadState, directory: string): Promise<void> {
  const { names, problem } = await listAgentFiles(directory)
  if (problem !== null) {
    const message = `${problem}. Everything is asked until this is mended.`
    state.problems.push({ file: directory, line: null, column: null, message })
    state.closures.push(askingFor(null))
  }
  if (names.length === 0) return
  // The YAML parser is loaded only where it is needed.
  const { parseAgentMarkdown, unusableAgent } = await import("./parse-agent-markdown.ts")
  for (const entry of names) {
    const file = join(directory, entry)
    const name = entry.slice(0, -".md".length)
    const onUnreadable = (reason: string) => unusableAgent(name, file, reason)
    const text = await readText(state, file, { limit: sizeLimit.agent, onUnreadable })
    if (text === null) continue
    const { agent, problems, closures } = parseAgentMarkdown(file, name, text)
    state.problems.push(...problems)
    state.closures.push(...closures)
    if (agent) state.config = mergeConfig(state.config, { agent: { [name]: agent } })
  }
}

/**
 * Reads every configuration that counts for a directory, lowest priority first: the user's docket.json,
 * docket.jsonc and agents/*.md, then from the worktree's root down to the directory docket.json,
 * docket.jsonc and .docket/agents/*.md. What is malformed is reported and left out, the rest counts; where that
 * could widen someone's rights, a closure holds them back. Runs nothing and calls no network. Never throws for what a file contains.
 */
export async function loadConfig(input: LoadConfigInput): Promise<ConfigReport> {
  const state: LoadState = {
    input,
    config: {},
    existing: new Set(builtinProviders),
    files: [],
    problems: [],
    closures: [],
  }
  const configHome = input.env.XDG_CONFIG_HOME || join(input.home, ".config")
  const globalDirectory = input.globalDirectory ?? join(configHome, "docket")
  const own: Source = { directory: globalDirectory, own: true }
  await addConfigFile(state, join(globalDirectory, "docket.json"), own)
  await addConfigFile(state, join(globalDirectory, "docket.jsonc"), own)
  await addAgentFiles(state, join(globalDirectory, "agents"))
  for (const id of Object.keys(state.config.provider ?? {})) state.existing.add(id)

  const isGlobal = (directory: string) => resolve(directory) === resolve(globalDirectory)
  for (const directory of directoriesBetween(resolve(input.worktree), resolve(input.directory))) {
    if (isGlobal(directory)) continue
    const source: Source = { directory, own: input.trusted === true }
    await addConfigFile(state, join(directory, "docket.json"), source)
    await addConfigFile(state, join(directory, "docket.jsonc"), source)
    await addAgentFiles(state, join(directory, ".docket", "agents"))
  }
  return { config: state.config, files: state.files, problems: state.problems, closures: state.closures }
}
