import { nearestNames } from "../../ground/error/nearest-name.ts"
import { PermissionAction, type PermissionConfig } from "../../ground/schema/permission.ts"
import { askingFor, type Closure } from "./config-report.ts"
import { isRecord } from "./is-record.ts"
import { keepValid } from "./keep-valid.ts"
import { AgentConfig } from "./schema.ts"
import { editTools, quoted, restrictions, strangeName } from "./tool-names.ts"

interface ReadAgent {
  /** Null when no part of the agent can be read. */
  agent: AgentConfig | null
  /** Rights that are withheld because they cannot be read. */
  closures: Closure[]
  faults: Fault[]
}

/** `permissions`, `permision`: rights that would go to the provider as an option. */
export const looksLikePermission = (key: string): boolean => /^permis/i.test(key) && key !== "permission"

/**
 * Reads one agent. Rights that cannot be read are held back ({@link readPermission}); of the rest, only the keys
 * that are wrong are left out.
 * @param repeated says which keys, relative to the agent, are there more than once
 * @param toolFiles names of the files that define tools
 */
export function readAgent(
  name: string,
  given: unknown,
  repeated: (path: string[]) => boolean = () => false,
  toolFiles: readonly string[] = [],
): ReadAgent {
  const closures: Closure[] = []
  const faults: Fault[] = []
  const ask = (path: string[], message: string) => {
    closures.push(askingFor(name))
    faults.push({ path, message: `${message} Everything is asked of this agent until this is mended.` })
  }
  if (!isRecord(given)) {
    ask([], "an agent is a map of its settings.")
    return { agent: null, closures, faults }
  }
  const { permission, tools, ...rest } = given
  const rights: Record<string, unknown> = {}
  if (permission !== undefined) {
    const read = readPermission(permission, ([...path]) => repeated(["permission", ...path]), toolFiles)
    faults.push(...read.faults.map(({ path, message }) => ({ path: ["permission", ...path], message })))
    if (read.permission !== null) rights.permission = read.permission
    else closures.push(askingFor(name))
  }
  if (isRecord(tools)) rights.tools = readTools(tools, { repeated, toolFiles }, faults)
  else if (tools !== undefined) ask(["tools"], `"tools": a map from tools to true or false was expected.`)
  for (const key of Object.keys(rest).filter(looksLikePermission)) {
    ask([key], `unknown key "${key}". Did you mean "permission"?`)
    delete rest[key]
  }
  const { data, issues } = keepValid(AgentConfig, { ...rest, ...rights })
  for (const issue of issues) {
    const path = issue.path.map(String)
    faults.push({ path, message: `"${path.join(".")}": ${issue.message}. This key is left out until it is mended.` })
    if (path[0] !== "disable") continue
    closures.push({ agent: name, deny: {}, unusable: `"disable" of the agent "${name}" is neither true nor false` })
  }
  return { agent: data, closures, faults }
}

/** A tool that is neither on nor off, or both, is off; so are those that an unknown name with `false` may stand for. */
function readTools(
  tools: Record<string, unknown>,
  { repeated, toolFiles }: { repeated: (path: string[]) => boolean; toolFiles: readonly string[] },
  faults: Fault[],
) {
  const read = Object.entries(tools).map(([tool, on]): [string, boolean] => {
    const path = ["tools", tool]
    if (typeof on === "boolean" && !repeated(path)) return [tool, on]
    const wrong = repeated(path) ? "is there twice" : "is neither true nor false"
    faults.push({ path, message: `"tools.${tool}" ${wrong}. The tool is off until this is mended.` })
    return [tool, false]
  })
  const named = Object.fromEntries(read)
  for (const [tool, on] of Object.entries(named)) {
    const strange = editTools.has(tool) ? null : strangeName(tool, toolFiles)
    if (strange === null) continue
    const meant = on === false ? strange.meant : []
    for (const name of meant) named[name] = false
    const consequence = meant.length === 0 ? "" : ` Until this is mended, ${quoted(meant)} is off.`
    faults.push({ path: ["tools", tool], message: `${strange.message}${consequence}` })
  }
  return named
}

/** A fault in a value, by the keys that lead to it. */
export interface Fault {
  path: string[]
  message: string
}

interface ReadPermission {
  /** Null when the section as a whole cannot be read. */
  permission: PermissionConfig | null
  faults: Fault[]
}

const choices = 'write "allow", "ask" or "deny".'
/** JavaScript puts such keys before all others, so a rule with one would lose its place. */
const wholeNumber = /^(?:0|[1-9]\d*)$/

function isAction(value: unknown): value is PermissionAction {
  return PermissionAction.safeParse(value).success
}

function notAnAction(name: string, value: unknown, consequence: string): string {
  const near = typeof value === "string" ? nearestNames(value, PermissionAction.options, 1)[0] : undefined
  const advice = near === undefined ? choices : `did you mean "${near}"?`
  return `${name}: ${JSON.stringify(value)?.slice(0, 80)} is not an action; ${advice} ${consequence} until this is mended.`
}

/**
 * Reads a permission section so that a mistake in it never gives a right. A rule that cannot be read denies what
 * it names, and one for a tool that there is not also takes away from the tools that may be meant; the others count
 * as they are.
 * @param repeated says which keys, relative to the section, are there more than once: they deny
 * @param toolFiles names of the files that define tools
 */
export function readPermission(
  value: unknown,
  repeated: (path: string[]) => boolean = () => false,
  toolFiles: readonly string[] = [],
): ReadPermission {
  if (isAction(value)) return { permission: value, faults: [] }
  if (!isRecord(value)) {
    const message = `${notAnAction('"permission"', value, "Everything is asked")} It may also be a map of tools.`
    return { permission: null, faults: [{ path: [], message }] }
  }
  const faults: Fault[] = []
  const deny = (path: string[], message: string): "deny" => {
    faults.push({ path, message })
    return "deny"
  }
  const readAction = (path: string[], action: unknown): PermissionAction => {
    const [tool, pattern] = path
    const denied = pattern === undefined ? `"${tool}" is denied` : `"${tool}" is denied on "${pattern}"`
    if (repeated(path)) return deny(path, `"${path.at(-1)}" is there twice. ${denied} until one is removed.`)
    return isAction(action) ? action : deny(path, notAnAction(`"permission.${path.join(".")}"`, action, denied))
  }
  const readRule = (tool: string, rule: unknown): Rule => {
    if (!isRecord(rule) || repeated([tool])) return readAction([tool], rule)
    const number = Object.keys(rule).find((pattern) => wholeNumber.test(pattern))
    if (number !== undefined) {
      const message = `"permission.${tool}.${number}": a pattern may not be a number alone; write "${number}*".`
      return deny([tool, number], `${message} "${tool}" is denied until this is mended.`)
    }
    const patterns = Object.entries(rule).map(([pattern, action]) => [pattern, readAction([tool, pattern], action)])
    return Object.fromEntries(patterns)
  }
  const rules: Rules = new Map(Object.entries(value).map(([tool, rule]) => [tool, readRule(tool, rule)]))
  for (const [tool, rule] of [...rules]) {
    const strange = strangeName(tool, toolFiles)
    if (strange !== null) faults.push(restrictMeant(rules, { tool, rule, strange }))
  }
  return { permission: Object.fromEntries(rules), faults }
}

type Rule = PermissionAction | Record<string, PermissionAction>
type Rules = Map<string, Rule>

interface StrangeRule {
  tool: string
  rule: Rule
  strange: { message: string; meant: string[] }
}

/** Adds what a rule with an unknown name takes away to the tools that the name may stand for. */
function restrictMeant(rules: Rules, { tool, rule, strange: { message, meant } }: StrangeRule): Fault {
  const taken = restrictions(rule)
  if (taken === null || meant.length === 0) return { path: [tool], message }
  for (const name of meant) {
    const given = rules.get(name)
    rules.delete(name)
    const patterns = given === undefined ? {} : typeof given === "string" ? { "*": given } : given
    const kept = Object.entries(patterns).filter(([pattern]) => !Object.hasOwn(taken, pattern))
    // At the end, so that none of the section's own rules lifts it.
    rules.set(name, Object.fromEntries([...kept, ...Object.entries(taken)]))
  }
  return { path: [tool], message: `${message} Until this is mended, it restricts ${quoted(meant)}.` }
}
