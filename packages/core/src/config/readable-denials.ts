import type { Node } from "jsonc-parser"
import type { PermissionConfig } from "../schema/index.ts"
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
  const agents = new Set(nodesAt(tree, ["agent"]).flatMap((agent) => properties(agent).map(({ key }) => key)))
  return [
    askingFor(null, readableDenials(nodesAt(tree, ["permission"]))),
    ...[...agents].map((name) => askingFor(name, agentDenials(tree, name))),
  ]
}

/** The readable denials of every entry of an agent. */
export function agentDenials(tree: Node, name: string): PermissionConfig {
  return readableDenials(nodesAt(tree, ["agent", name, "permission"]), nodesAt(tree, ["agent", name, "tools"]))
}
