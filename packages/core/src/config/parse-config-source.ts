import { findNodeAtLocation, parseTree } from "jsonc-parser"
import type { Closure } from "./closure.ts"
import type { ConfigProblem } from "./config-report.ts"
import { parseConfigText } from "./parse-config-text.ts"
import type { ConfigSource } from "./read-config-sources.ts"
import type { Config } from "./schema.ts"
import { type TextPosition, textPosition } from "./text-position.ts"

/** A configuration file as it is written: nothing is filled in. */
export interface ParsedSource {
  source: ConfigSource
  /** Null when the file is malformed and counts for nothing. */
  config: Config | null
  /** What is held back because it cannot be read. */
  closures: Closure[]
  problems: ConfigProblem[]
  /** Where the value at a path of `config` stands. */
  place(path: readonly string[]): TextPosition
}

export async function parseConfigSource(source: ConfigSource): Promise<ParsedSource> {
  const { file, text, agent: name } = source
  if (name === null) return { source, ...parseConfigText(file, text), place: (path) => placeInJson(text, path) }
  // The YAML parser is loaded only where it is needed.
  const { parseAgentMarkdown } = await import("./parse-agent-markdown.ts")
  const { agent, place, ...parsed } = parseAgentMarkdown(file, name, text)
  return { source, ...parsed, config: agent && { agent: { [name]: agent } }, place: (path) => place(path.slice(2)) }
}

function placeInJson(text: string, path: readonly string[]): TextPosition {
  const tree = parseTree(text, [], { allowTrailingComma: true })
  const segments = path.map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment))
  const node = tree && (findNodeAtLocation(tree, segments) ?? findNodeAtLocation(tree, [...path]))
  return textPosition(text, node?.offset ?? 0)
}
