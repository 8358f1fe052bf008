import type { Node } from "jsonc-parser"
import type { PermissionConfig } from "../../ground/schema/index.ts"
import { askingFor, type Closure } from "./closure.ts"
import { nodesAt, properties } from "./json-tree.ts"
import { toolsPermission } from "./tools-permission.ts"

const actions: readonly unknown[] = ["allow", "ask"]

/** What a rule denies. A rule that is not readable denies what it names. */
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
export function readableDenials(sections: readonly Node[], tools: readonly Node[] = []): PermissionConfig {
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

/** What holds while a file cannot be read as JSON: everything is asked, and what it clearly denies is denied. */
export function closuresOfBrokenJson(tree: Node | undefined): Closure[] {
  if (!tree) return [askingFor(null)]
  return [askingFor(null, readableDenials(nodesAt(tree, ["permission"]))), ...askingForAgents(tree)]
}

/** Everything is asked of these agents, else of each that the file sets; what an entry of theirs denies is denied. */
export function askingForAgents(tree: Node, names: Iterable<string> = agentNames(tree)): Closure[] {
  return [...names].map((name) => {
    const [permission, tools] = [nodesAt(tree, ["agent", name, "permission"]), nodesAt(tree, ["agent", name, "tools"])]
    return askingFor(name, readableDenials(permission, tools))
  })
}

function agentNames(tree: Node): Set<string> {
  return new Set(nodesAt(tree, ["agent"]).flatMap((agent) => properties(agent).map(({ key }) => key)))
}
