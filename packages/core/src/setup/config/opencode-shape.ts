import { isRecord } from "./is-record.ts"
import { mergeRecords } from "./merge-config.ts"
import { sharedKeys, translatedKeys, unusedKey } from "./opencode-keys.ts"
import { editTools } from "./tools-permission.ts"

/** What an OpenCode configuration says, in the keys of docket.json. */
export interface OpencodeShape {
  value: Record<string, unknown>
  /** What Docket does not take over, by its keys in the file, and why. */
  left: { path: string[]; message: string }[]
  /** The keys in the file that a place of `value` comes from. */
  origin(path: readonly string[]): string[]
}

type Values = Record<string, unknown>

/** `opencode.json` and `opencode.jsonc`; in OpenCode's own directory also `config.json`. */
export function isOpencodeFile(file: string): boolean {
  return /(?:^|[/\\])(?:opencode\.jsonc?|opencode[/\\]config\.json)$/.test(file)
}

/**
 * Puts an OpenCode configuration into the keys of docket.json. Rights are those that OpenCode gives, never wider. A value
 * that is wrong stays wrong, so that whoever reads it says so and holds back what it may have restricted.
 */
export function fromOpencode(given: Values): OpencodeShape {
  const left: OpencodeShape["left"] = []
  const value: Values = {}
  for (const [key, item] of Object.entries(given)) {
    const reason = isOnlyPrimaryTools(key, item) ? null : unusedKey(key)
    if (reason !== null) left.push({ path: [key], message: reason })
    else if (sharedKeys.has(key) || !translatedKeys.has(key)) value[key] = item
  }
  const shared = sharedShare(given)
  if (shared.auto !== null)
    left.push({ path: [shared.auto], message: "nothing is shared by itself; people make links." })
  const shape = {
    ...value,
    ...shared.share,
    ...rightsForAll(given),
    ...agentsOf(given),
    ...depthOf(given),
    ...primaryToolsOf(given),
  }
  return { value: shape, left, origin: (path) => origin(given, path) }
}

function sharedShare({ share, autoshare }: Values): { auto: string | null; share: Values } {
  const auto = share === "auto" ? "share" : autoshare === true ? "autoshare" : null
  return { auto, share: share === undefined || share === "auto" ? {} : { share } }
}

/** `tools` speaks for every agent, and gives way to what `permission` says of the same tool. */
function rightsForAll({ tools, permission }: Values): Values {
  if (tools === undefined) return {}
  const rules = typeof permission === "string" ? { "*": permission } : (permission ?? {})
  if (!isRecord(rules)) return { permission }
  // What cannot be read may have turned off anything.
  if (!isRecord(tools)) return { permission: mergeRecords(rules, { "*": tools }) }
  const fromTools: Values = {}
  for (const [tool, on] of Object.entries(tools)) {
    const name = permissionOf(tool)
    // Of tools that share a permission, one that is not on decides.
    if ((fromTools[name] ?? "allow") === "allow")
      fromTools[name] = typeof on === "boolean" ? (on ? "allow" : "deny") : on
  }
  return { permission: mergeRecords(fromTools, rules) }
}

const permissionOf = (tool: string) => (editTools.has(tool) ? "edit" : tool)

/** The agents, and the older `mode`: agents that lead. */
function agentsOf({ agent, mode }: Values): Values {
  if (agent === undefined && mode === undefined) return {}
  if (mode !== undefined && !isRecord(mode)) return { agent: mode }
  const leading = Object.entries(mode ?? {}).map(([name, item]) => {
    return [name, isRecord(item) ? { ...item, mode: "primary" } : item]
  })
  if (agent !== undefined && !isRecord(agent)) return { agent }
  const all = mergeRecords(agent ?? {}, Object.fromEntries(leading))
  return { agent: Object.fromEntries(Object.entries(all).map(([name, item]) => [name, withSteps(item)])) }
}

/** `maxSteps` is the older name of `steps`. */
function withSteps(agent: unknown): unknown {
  if (!isRecord(agent) || !("maxSteps" in agent)) return agent
  const { maxSteps, ...rest } = agent
  return { steps: maxSteps, ...rest }
}

function depthOf({ subagent_depth: depth }: Values): Values {
  return depth === undefined ? {} : { delegation: { depth } }
}

/** Of its experiments Docket has one. */
function primaryToolsOf({ experimental }: Values): Values {
  return isRecord(experimental) && experimental.primary_tools !== undefined
    ? { primary_tools: experimental.primary_tools }
    : {}
}

function isOnlyPrimaryTools(key: string, item: unknown): boolean {
  return key === "experimental" && isRecord(item) && Object.keys(item).every((name) => name === "primary_tools")
}

function origin(given: Values, path: readonly string[]): string[] {
  const [section, name, ...rest] = path
  if (section === "delegation") return ["subagent_depth"]
  if (section === "primary_tools") return ["experimental", ...path]
  if (name === undefined) return [...path]
  if (section === "permission" && !has(given.permission, name)) return ["tools", toolOf(given.tools, name)]
  if (section !== "agent") return [...path]
  const of = has(given.mode, name) && !hasAt(given.agent, [name, ...rest]) ? "mode" : "agent"
  return [of, name, ...rest.map((key, at) => (at === 0 && key === "steps" ? stepsIn(given, of, name) : key))]
}

function toolOf(tools: unknown, permission: string): string {
  return Object.keys(Object(tools)).find((tool) => permissionOf(tool) === permission) ?? permission
}

const stepsIn = (given: Values, section: string, name: string) =>
  hasAt(given[section], [name, "maxSteps"]) ? "maxSteps" : "steps"

const has = (value: unknown, key: string) => isRecord(value) && Object.hasOwn(value, key)

function hasAt(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  return isRecord(value) && Object.hasOwn(value, key) && hasAt(value[key], rest)
}
