import { join } from "node:path"
import {
  type DefiningUser,
  editTools,
  isRecord,
  mergeRecords,
  opencodeUserDirectory,
  type TranslatedSettings,
} from "@docket/core/other-programs"

type Values = Record<string, unknown>

/** The user's own settings files, lowest priority first. */
export function opencodeUserSettings(user: DefiningUser): string[] {
  return ["config.json", "opencode.json", "opencode.jsonc"].map((name) => join(opencodeUserDirectory(user), name))
}

/** The settings files of a project directory, lowest priority first. */
export function opencodeProjectSettings(directory: string): string[] {
  const names = ["opencode.json", "opencode.jsonc", ".opencode/opencode.json", ".opencode/opencode.jsonc"]
  return names.map((name) => join(directory, name))
}

/** Matches `opencode.json` and `opencode.jsonc`, and `config.json` in OpenCode's own directory. */
export function isOpencodeFile(file: string): boolean {
  return /(?:^|[/\\])(?:opencode\.jsonc?|opencode[/\\]config\.json)$/.test(file)
}

/**
 * Translates an OpenCode configuration into keys of docket.json. Permissions are never wider than in OpenCode. An
 * invalid value stays invalid, so that the reader reports it and holds back what it may have restricted.
 */
export function fromOpencode(given: Values): TranslatedSettings {
  const left: TranslatedSettings["left"] = []
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

/** `tools` applies to every agent; `permission` overrides it for the same tool. */
function rightsForAll({ tools, permission }: Values): Values {
  if (tools === undefined) return {}
  const rules = typeof permission === "string" ? { "*": permission } : (permission ?? {})
  if (!isRecord(rules)) return { permission }
  // An unreadable value may have turned off any tool.
  if (!isRecord(tools)) return { permission: mergeRecords(rules, { "*": tools }) }
  const fromTools: Values = {}
  for (const [tool, on] of Object.entries(tools)) {
    const name = permissionOf(tool)
    // When tools share a permission, one that is not on decides.
    if ((fromTools[name] ?? "allow") === "allow")
      fromTools[name] = typeof on === "boolean" ? (on ? "allow" : "deny") : on
  }
  return { permission: mergeRecords(fromTools, rules) }
}

const permissionOf = (tool: string) => (editTools.has(tool) ? "edit" : tool)

/** The agents, including the older key `mode` for primary agents. */
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

/** The only experimental setting that Docket has. */
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

/** Keys with the same meaning in OpenCode and docket.json. */
const sharedKeys: ReadonlySet<string> = new Set([
  "$schema",
  "command",
  "default_agent",
  "disabled_providers",
  "enabled_providers",
  "formatter",
  "instructions",
  "lsp",
  "mcp",
  "model",
  "permission",
  "plugin",
  "provider",
  "small_model",
])

/** Keys that are translated. */
const translatedKeys: ReadonlySet<string> = new Set([
  "agent",
  "autoshare",
  "experimental",
  "mode",
  "share",
  "subagent_depth",
  "tools",
])

/** OpenCode keys without a counterpart, with what applies instead. */
const unused: Readonly<Record<string, string>> = {
  attachment: "images are sent as they are",
  autoupdate: "whoever installed Docket updates it",
  compaction: "Docket decides itself when to summarise",
  enterprise: "Docket keeps its shares itself",
  experimental: "of its keys only primary_tools counts",
  keybinds: "the keys are Docket's own",
  layout: "there is one layout",
  logLevel: "the log has one level",
  reference: "name directories in the prompt",
  references: "name directories in the prompt",
  server: "pass these options to `docket serve`",
  shell: "commands run in bash",
  skills: "skills are found in their folders",
  snapshot: "snapshots are always kept",
  theme: "a theme is chosen in Settings",
  tool_output: "the limits of outputs are Docket's own",
  tui: "there is no terminal interface",
  username: "people are named by their login",
  watcher: "files are read when they are needed",
}

/** Why Docket ignores an OpenCode key; null when it is used or is not a key of OpenCode. */
function unusedKey(key: string): string | null {
  const instead = Object.hasOwn(unused, key) ? unused[key] : undefined
  return instead === undefined ? null : `"${key}" is not used by Docket: ${instead}.`
}
