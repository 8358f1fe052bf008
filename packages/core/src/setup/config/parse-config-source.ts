import type { Closure, ConfigProblem } from "./config-report.ts"
import type { TextPosition } from "./json-tree.ts"
import type { OtherPrograms } from "./other-programs.ts"
import { parseConfigText } from "./parse-config-text.ts"
import type { ConfigSource } from "./read-config-sources.ts"
import type { Config } from "./schema.ts"

/** A configuration file as it is written: nothing is filled in. */
export interface ParsedSource {
  source: ConfigSource
  /** The agent that a Markdown file defines, by the name that counts; null for docket.json. */
  defines: string | null
  /** Null when the file is malformed and is ignored. */
  config: Config | null
  /** Rights that are withheld because the part that would set them cannot be read. */
  closures: Closure[]
  problems: ConfigProblem[]
  /** Where the value at a path of `config` stands. */
  place(path: readonly string[]): TextPosition
}

interface ParseOptions {
  programs?: OtherPrograms
  /** Names of the files that define tools: rules may be about these tools. */
  toolFiles?: readonly string[]
}

interface KeptSource {
  parsed: ParsedSource
  toolFiles: string
}

/**
 * Agents as they were read last, by file: most are unchanged when the configuration is read again. `programs` is the
 * same in the whole process, so it is not compared.
 */
const kept = new Map<string, KeptSource>()
/** Files that are kept at most. */
const keptFiles = 1_000

export async function parseConfigSource(source: ConfigSource, options: ParseOptions = {}): Promise<ParsedSource> {
  const known = source.agent === null ? undefined : kept.get(source.file)
  const toolFiles = (options.toolFiles ?? []).join("\n")
  if (known?.toolFiles === toolFiles && isSame(known.parsed.source, source)) return known.parsed
  const parsed = await parseSource(source, options)
  if (source.agent === null) return parsed
  if (kept.size >= keptFiles) kept.clear()
  kept.set(source.file, { parsed, toolFiles })
  return parsed
}

function isSame(known: ConfigSource, { text, directory, agent }: ConfigSource): boolean {
  if (known.text !== text || known.directory !== directory) return false
  return known.agent?.name === agent?.name && known.agent?.origin === agent?.origin
}

async function parseSource(source: ConfigSource, options: ParseOptions): Promise<ParsedSource> {
  const { file, text, agent: from } = source
  if (from === null) return { source, defines: null, ...parseConfigText(file, text, options) }
  // The YAML parser is loaded only where it is needed.
  const { parseAgentMarkdown } = await import("./parse-agent-markdown.ts")
  const { name, agent, place, ...parsed } = parseAgentMarkdown({ file, ...from }, text, options)
  const config = agent && { agent: { [name]: agent } }
  // The file's own paths begin after `agent` and its name.
  return { source, defines: name, ...parsed, config, place: (path) => place(path.slice(2)) }
}
