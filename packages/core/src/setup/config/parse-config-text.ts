import { type Node, type ParseError, printParseErrorCode } from "jsonc-parser"
import type { z } from "zod"
import { didYouMean } from "../../ground/error/nearest-name.ts"
import type { PermissionConfig } from "../../ground/schema/permission.ts"
import { escapedName } from "../../ground/schema/plain-name.ts"
import { askingFor, type Closure, type ConfigProblem } from "./config-report.ts"
import { isRecord } from "./is-record.ts"
import {
  type JsonValue,
  jsonValue,
  nearestNode,
  nodesAt,
  properties,
  type TextPosition,
  textPosition,
} from "./json-tree.ts"
import { keepValid } from "./keep-valid.ts"
import type { OtherPrograms } from "./other-programs.ts"
import { looksLikePermission, readAgent, readPermission } from "./read-agent.ts"
import { nestedTooDeeply, readJsonTree } from "./read-json-tree.ts"
import { type AgentConfig, Config } from "./schema.ts"
import { toolsPermission } from "./tool-names.ts"

interface ParsedConfig {
  /** Null when the file is malformed and must be left out as a whole. */
  config: Config | null
  /** Rights that are withheld because the part that would set them cannot be read. */
  closures: Closure[]
  problems: ConfigProblem[]
  /** The position of the value at a path of `config`, or of the nearest value around that path. */
  place(path: readonly string[]): TextPosition
}

/** Words for jsonc-parser's error codes; others are shown as they are. */
const syntaxWords: Record<string, string> = {
  InvalidSymbol: "this is not valid JSON",
  InvalidNumberFormat: "this number is not valid",
  PropertyNameExpected: 'expected a property name in double quotes, like "model"',
  ValueExpected: "expected a value",
  ColonExpected: 'expected ":" after the property name',
  CommaExpected: 'expected "," between two entries',
  CloseBraceExpected: 'expected "}"',
  CloseBracketExpected: 'expected "]"',
  EndOfFileExpected: "expected the end of the file here",
  UnexpectedEndOfString: "this string is not closed",
  UnexpectedEndOfComment: "this comment is not closed",
  InvalidEscapeCharacter: "this escape is not valid; write a backslash as \\\\",
}

/** An error of the syntax in words. */
export function syntaxMessage(error: ParseError["error"]): string {
  if (error === nestedTooDeeply) return "this is nested too deeply"
  const code = printParseErrorCode(error)
  return syntaxWords[code] ?? code
}

const isSegment = (key: PropertyKey): key is string | number => typeof key !== "symbol"

/** Keys that the schema has at the place of an unknown key: only the strict objects report any. */
function knownKeys(path: readonly PropertyKey[]): string[] {
  const { delegation, sandbox } = Config.shape
  if (path[0] === "delegation") return Object.keys(delegation.unwrap().shape)
  return Object.keys(path[0] === "sandbox" ? sandbox.unwrap().shape : Config.shape)
}

interface ParseOptions {
  programs?: Pick<OtherPrograms, "translateSettings"> | undefined
  /** Names of the files that define tools: rules may be about these tools. */
  toolFiles?: readonly string[]
}

interface Parsing extends Required<Pick<ParseOptions, "toolFiles">> {
  tree: Node
  /** Paths of keys that are there twice. */
  repeated: JsonValue["repeated"]
  /** Rights that are withheld, found so far. */
  closures: Closure[]
  /** Reports at the place that the keys lead to. */
  report(path: readonly PropertyKey[], message: string): void
}

/** Whether the keys lead to a permission section or a map of tools. */
const isSection = (path: readonly string[]) =>
  path.length === 1
    ? path[0] === "permission"
    : path.length === 3 && path[0] === "agent" && (path[2] === "permission" || path[2] === "tools")

/** True for keys that lead to a section or into one: readPermission and readAgent report them. */
const isInSection = (path: readonly string[]) => isSection(path.slice(0, 1)) || isSection(path.slice(0, 3))

function reportRepeated(parsing: Parsing): void {
  const { tree, closures } = parsing
  for (const path of parsing.repeated) {
    const key = `"${path.join(".")}" is there twice`
    const [section, name] = path
    if (section === "permission" && path.length === 1) {
      closures.push(askingFor(null, readableDenials(nodesAt(tree, path))))
      parsing.report(path, `${key}. Everything is asked until one is removed.`)
    } else if (section === "agent" && (path.length < 3 || isSection(path))) {
      closures.push(...askingForAgents(tree, name === undefined ? undefined : [name]))
      const asked = name === undefined ? "the agents in them" : "this agent"
      parsing.report(path, `${key}. Everything is asked of ${asked} until one is removed.`)
    } else if (!isInSection(path)) {
      parsing.report(path, `${key}; where they differ, the later one counts.`)
    }
  }
}

/** The file's permissions and agents, with what cannot be read held back. */
function readRights(parsing: Parsing, value: Record<string, unknown>): Record<string, unknown> {
  const { closures, report, toolFiles } = parsing
  const { permission, agent, ...rest } = value
  const rights: Record<string, unknown> = {}
  const isRepeated = (path: readonly string[]) =>
    parsing.repeated.some((other) => other.length === path.length && other.every((key, at) => key === path[at]))
  const isInRepeated = (path: readonly string[]) => path.some((_, at) => isRepeated(path.slice(0, at + 1)))
  if (permission !== undefined) {
    const read = readPermission(permission, (path) => isRepeated(["permission", ...path]), toolFiles)
    for (const { path, message } of read.faults) report(["permission", ...path], message)
    const isDoubtful = isRepeated(["permission"])
    if (read.permission !== null) rights.permission = isDoubtful ? onlyDenials(read.permission) : read.permission
    else closures.push(askingFor(null))
  }
  if (isRecord(agent)) {
    const agents = Object.entries(agent).flatMap(([name, given]) => {
      const read = readAgent(name, given, (path) => isRepeated(["agent", name, ...path]), toolFiles)
      for (const { path, message } of read.faults) report(["agent", name, ...path], `agent "${name}": ${message}`)
      closures.push(...read.closures)
      if (read.agent === null) return []
      const isDoubtful = [["permission"], ["tools"]].some((path) => isInRepeated(["agent", name, ...path]))
      return [[name, isDoubtful ? onlyDenying(read.agent) : read.agent]]
    })
    rights.agent = Object.fromEntries(agents)
  } else if (agent !== undefined) {
    closures.push(askingFor(null))
    report(["agent"], '"agent": a map of agents was expected. Everything is asked until this is mended.')
  }
  return { ...rest, ...rights }
}

const onlyConfined = "Commands run in the sandbox or not at all"

/** Reports what the schema refuses. Where that may have restricted someone, everything is asked. */
/** Problems of a file that are told: finding the place of each takes time. */
const mostProblems = 100
const wholeLeftOut = "The file is left out and everything is asked until this is mended."

function reportIssues(parsing: Parsing, issues: readonly z.core.$ZodIssue[]): void {
  for (const issue of issues) {
    const path = issue.path.filter(isSegment)
    if (issue.code !== "unrecognized_keys") {
      const restricts = path[0] === "default_agent" || path[0] === "primary_tools"
      if (restricts) parsing.closures.push(askingFor(null))
      const consequence =
        path[0] === "sandbox" ? onlyConfined : restricts ? "Everything is asked" : "This key is left out"
      const told = path.length === 0 ? `the file: ${issue.message}. ${wholeLeftOut}` : null
      parsing.report(path, told ?? `"${path.join(".")}": ${issue.message}. ${consequence} until this is mended.`)
      continue
    }
    for (const key of issue.keys) {
      const restricts = path.length === 0 && looksLikePermission(key)
      if (restricts) parsing.closures.push(askingFor(null))
      const isSandbox = path[0] === "sandbox"
      const restriction = restricts ? "Everything is asked" : isSandbox && onlyConfined
      const consequence = restriction ? `${restriction} until this is mended` : "ignored"
      const meant = issue.keys.length > mostProblems ? "" : didYouMean(key, knownKeys(path))
      parsing.report([...path, key], `unknown key "${key}", ${consequence}.${meant}`)
    }
  }
}

/** An unreadable section may have required the sandbox, so it counts as if it did. */
function holdSandbox(config: Config, issues: readonly z.core.$ZodIssue[]): Config {
  if (issues.every(({ path }) => path[0] !== "sandbox")) return config
  return { ...config, sandbox: { ...config.sandbox, mode: "required" } }
}

/** Nested deeper than the stack allows. */
const tooDeep = "this is nested too deeply. The file is left out and everything is asked until this is mended."

/**
 * Reads the text of a docket.json or docket.jsonc (comments and trailing commas are fine), or that of another program's
 * settings, told by the file's name. A key that is unknown or wrong is reported and left out; a rule that cannot be read
 * denies; where it is not known what the file restricts, a `Closure` withholds the rights. Never throws.
 */
export function parseConfigText(
  file: string,
  text: string,
  { programs, toolFiles = [] }: ParseOptions = {},
): ParsedConfig {
  try {
    return parseText(file, text, { programs, toolFiles })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return {
      config: null,
      closures: [askingFor(null)],
      problems: [{ file, line: null, column: null, message: tooDeep }],
      place: atTheTop,
    }
  }
}

function parseText(file: string, text: string, { programs, toolFiles = [] }: ParseOptions): ParsedConfig {
  // It may name keys of the file.
  const at = (offset: number, message: string): ConfigProblem => ({
    ...{ file, ...textPosition(text, offset) },
    message: escapedName(message),
  })
  const errors: ParseError[] = []
  const tree = readJsonTree(text, errors)
  if (errors.length > 0 || !tree) {
    const problems = errors.slice(0, 5).map((error) => {
      return at(error.offset, `${syntaxMessage(error.error)}. ${wholeLeftOut}`)
    })
    return { config: null, closures: closuresOfBrokenJson(tree), problems, place: atTheTop }
  }
  const { value, repeated } = jsonValue(tree)
  if (!isRecord(value)) {
    const message = `the file: an object in braces was expected. ${wholeLeftOut}`
    return { config: null, closures: [askingFor(null)], problems: [at(tree.offset, message)], place: atTheTop }
  }
  const problems: ConfigProblem[] = []
  const translated = programs?.translateSettings(file, value) ?? { value, left: [], origin: asWritten }
  const report = (path: readonly PropertyKey[], message: string) => {
    if (problems.length >= mostProblems) return
    problems.push(at(nearestNode(tree, translated.origin(path.filter(isSegment).map(String))).offset, message))
  }
  for (const { path, message } of translated.left) problems.push(at(nearestNode(tree, path).offset, message))
  const parsing: Parsing = { tree, repeated, closures: [], report, toolFiles }
  reportRepeated(parsing)
  const { data, issues } = keepValid(Config, readRights(parsing, translated.value))
  if (data === null) parsing.closures.push(askingFor(null))
  reportIssues(parsing, issues)
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  const place = (path: readonly string[]) => textPosition(text, nearestNode(tree, translated.origin(path)).offset)
  return { config: data && holdSandbox(data, issues), closures: parsing.closures, problems, place }
}

const atTheTop = (): TextPosition => ({ line: 1, column: 1 })

const asWritten = (path: readonly string[]): string[] => [...path]

const actions: readonly unknown[] = ["allow", "ask"]

/** The denials of a rule. An unreadable rule denies everything that it names. */
function deniedPatterns(rule: Node | undefined): Record<string, "deny"> {
  if (rule?.type !== "object") return actions.includes(rule?.value) ? {} : { "*": "deny" }
  const denied = properties(rule).filter(({ value }) => !actions.includes(value?.value))
  return Object.fromEntries(denied.map(({ key }) => [key, "deny"]))
}

function deniedTools(section: Node): [string, Record<string, "deny">][] {
  if (section.type === "string") return section.value === "deny" ? [["*", { "*": "deny" }]] : []
  return properties(section).map(({ key, value }) => [key, deniedPatterns(value)])
}

/**
 * The denials in permission sections that do not count as a whole: in a file that is not valid JSON, or where
 * a key is repeated. Anything else is left out, so nothing is allowed by them.
 */
function readableDenials(sections: readonly Node[], tools: readonly Node[] = []): PermissionConfig {
  const denied: Record<string, Record<string, "deny">> = {}
  const add = (name: string, patterns: Record<string, "deny">) => {
    if (name !== "__proto__" && Object.keys(patterns).length > 0) denied[name] = { ...denied[name], ...patterns }
  }
  for (const [name, patterns] of sections.flatMap(deniedTools)) add(name, patterns)
  for (const { key, value } of tools.flatMap(properties)) {
    if (value?.value === true) continue
    for (const name of Object.keys(toolsPermission({ [key]: false }))) add(name, { "*": "deny" })
  }
  return denied
}

/** The rules while a file is no valid JSON: everything is asked, and what the file clearly denies is denied. */
function closuresOfBrokenJson(tree: Node | undefined): Closure[] {
  if (!tree) return [askingFor(null)]
  return [askingFor(null, readableDenials(nodesAt(tree, ["permission"]))), ...askingForAgents(tree)]
}

/** Everything is asked of these agents, else of each that the file sets; what an entry of theirs denies is denied. */
function askingForAgents(tree: Node, names: Iterable<string> = agentNames(tree)): Closure[] {
  return [...names].map((name) => {
    const [permission, tools] = [nodesAt(tree, ["agent", name, "permission"]), nodesAt(tree, ["agent", name, "tools"])]
    return askingFor(name, readableDenials(permission, tools))
  })
}

function agentNames(tree: Node): Set<string> {
  return new Set(nodesAt(tree, ["agent"]).flatMap((agent) => properties(agent).map(({ key }) => key)))
}

/**
 * What a permission section denies. Nothing else counts of a section that is there twice: what it allows or asks could
 * stand above a denial from elsewhere.
 */
function onlyDenials(permission: PermissionConfig): PermissionConfig {
  if (typeof permission === "string") return permission === "deny" ? permission : {}
  const denied = Object.entries(permission).flatMap(([tool, rule]) => {
    if (typeof rule === "string") return rule === "deny" ? [[tool, rule]] : []
    return [[tool, Object.fromEntries(Object.entries(rule).filter(([, action]) => action === "deny"))]]
  })
  return Object.fromEntries(denied)
}

/** The agent with rights that only deny. */
function onlyDenying({ permission, tools, ...rest }: AgentConfig): AgentConfig {
  return {
    ...rest,
    ...(permission !== undefined && { permission: onlyDenials(permission) }),
    ...(tools !== undefined && { tools: Object.fromEntries(Object.entries(tools).filter(([, on]) => !on)) }),
  }
}
