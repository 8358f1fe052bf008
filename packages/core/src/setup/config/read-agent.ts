import { askingFor, type Closure } from "./closure.ts"
import { isRecord } from "./is-record.ts"
import { keepValid } from "./keep-valid.ts"
import { type Fault, readPermission } from "./read-permission.ts"
import { AgentConfig } from "./schema.ts"
import { quoted, strangeName } from "./tool-names.ts"
import { editTools } from "./tools-permission.ts"

export interface ReadAgent {
  /** Null when nothing of it can be read. */
  agent: AgentConfig | null
  closures: Closure[]
  faults: Fault[]
}

/** `permissions`, `permision`: rights that would go to the provider as an option. */
export const looksLikePermission = (key: string): boolean => /^permis/i.test(key) && key !== "permission"

/**
 * Reads one agent. Rights that cannot be read are held back ({@link readPermission}); of the rest, only the keys
 * that are wrong are left out.
 */
export function readAgent(
  name: string,
  given: unknown,
  repeated: (path: string[]) => boolean = () => false,
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
    const read = readPermission(permission, ([...path]) => repeated(["permission", ...path]))
    faults.push(...read.faults.map(({ path, message }) => ({ path: ["permission", ...path], message })))
    if (read.permission !== null) rights.permission = read.permission
    else closures.push(askingFor(name))
  }
  if (isRecord(tools)) rights.tools = readTools(tools, repeated, faults)
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
function readTools(tools: Record<string, unknown>, repeated: (path: string[]) => boolean, faults: Fault[]) {
  const read = Object.entries(tools).map(([tool, on]): [string, boolean] => {
    const path = ["tools", tool]
    if (typeof on === "boolean" && !repeated(path)) return [tool, on]
    const wrong = repeated(path) ? "is there twice" : "is neither true nor false"
    faults.push({ path, message: `"tools.${tool}" ${wrong}. The tool is off until this is mended.` })
    return [tool, false]
  })
  const named = Object.fromEntries(read)
  for (const [tool, on] of Object.entries(named)) {
    const strange = editTools.has(tool) ? null : strangeName(tool)
    if (strange === null) continue
    const meant = on === false ? strange.meant : []
    for (const name of meant) named[name] = false
    const consequence = meant.length === 0 ? "" : ` Until this is mended, ${quoted(meant)} is off.`
    faults.push({ path: ["tools", tool], message: `${strange.message}${consequence}` })
  }
  return named
}
