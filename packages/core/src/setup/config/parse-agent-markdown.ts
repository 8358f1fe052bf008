import { builtinAgentNames } from "../../ground/schema/agent.ts"
import type { Closure, ConfigProblem } from "./config-report.ts"
import type { DefinitionOrigin } from "./definitions.ts"
import { parseFrontmatter } from "./frontmatter.ts"
import { isRecord } from "./is-record.ts"
import type { TextPosition } from "./json-tree.ts"
import type { OtherPrograms } from "./other-programs.ts"
import { type Fault, readAgent } from "./read-agent.ts"
import type { AgentConfig } from "./schema.ts"

export interface ParsedAgent {
  /** The name that calls it. */
  name: string
  agent: AgentConfig | null
  /** Rights that are withheld because the part that would set them cannot be read. */
  closures: Closure[]
  problems: ConfigProblem[]
  /** The position of the value at a path of `agent`. The position of the prompt is that of the body. */
  place(path: readonly string[]): TextPosition
}

/** A Markdown file that is to define an agent. */
export interface AgentFile {
  file: string
  /** The name of the file. */
  name: string
  origin: DefinitionOrigin
}

/**
 * Reads an agent written as Markdown: the frontmatter is its configuration, the body its prompt. Where the
 * frontmatter cannot be read the agent is left out and no session runs by it; a wrong key is left out alone, and a rule
 * that cannot be read denies. Never throws.
 */
export function parseAgentMarkdown(
  from: AgentFile,
  text: string,
  { programs, toolFiles }: { programs?: Pick<OtherPrograms, "translateAgent">; toolFiles?: readonly string[] } = {},
): ParsedAgent {
  const parsed = parseFrontmatter(text)
  if ("refused" in parsed) return refused(from, { line: parsed.line, column: parsed.column }, parsed.refused)
  const { settings, body, near, place } = parsed
  if (!isRecord(settings)) return refused(from, near([]), "the frontmatter is not a map of settings")
  const name = calledName(from, settings.name)
  if (isNamesakeOfBuiltin(from, name)) return refused({ ...from, name }, near(["name"]), builtinMessage)
  const translated = programs?.translateAgent(from.origin, settings) ?? withoutName(from, settings)
  const { settings: own, renamed, faults } = translated
  const read = readAgent(name, own, undefined, toolFiles)
  const inFile = ([key = "", ...rest]: readonly string[]) => [
    Object.hasOwn(settings, key) ? key : (renamed[key] ?? key),
    ...rest,
  ]
  const problems = [...faults, ...read.faults].map(({ path, message }) => {
    return { file: from.file, ...near(inFile(path)), message }
  })
  const agent = read.agent && body !== "" ? { ...read.agent, prompt: body } : read.agent
  return { name, agent, closures: read.closures, problems, place: (path) => place(inFile(path)) }
}

function refused(from: AgentFile, at: TextPosition, message: string): ParsedAgent {
  const { file, name } = from
  return {
    name,
    agent: null,
    closures: isNamesakeOfBuiltin(from, name)
      ? []
      : [{ agent: name, deny: {}, unusable: `${file}:${at.line} ${message}` }],
    problems: [{ file, ...at, message: `${message}. The agent "${name}" is left out until this is mended.` }],
    place: () => at,
  }
}

const builtinMessage = "this is the name of an agent of Docket's own, which a file for Claude Code does not change"

/** Claude Code knows no agent of Docket's: one of the same name is another one, by chance. */
function isNamesakeOfBuiltin({ origin }: AgentFile, name: string): boolean {
  return origin === "claude" && builtinAgentNames.some((builtin) => builtin === name)
}

/** Claude Code calls an agent as its frontmatter says, Docket and OpenCode as its file is called. */
function calledName({ origin, name }: AgentFile, given: unknown): string {
  const isName = typeof given === "string" && /^[\w-][\w.-]{0,63}$/.test(given)
  return origin === "claude" && isName && given !== "__proto__" ? given : name
}

/** Leaves out `name`: as an unknown key it would become an option, which providers refuse. */
function withoutName(from: AgentFile, { name: given, ...settings }: Record<string, unknown>) {
  const faults: Fault[] = []
  const renamed: Record<string, string> = {}
  if (given !== undefined && given !== from.name.split("/").at(-1)) {
    faults.push({ path: ["name"], message: `"name" is not used: the agent is called "${from.name}", as its file is.` })
  }
  return { settings, renamed, faults }
}
