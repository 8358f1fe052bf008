import { didYouMean, type Fault, isRecord, permissionNames, type TranslatedAgent } from "@docket/core/other-programs"

/** The permissions that Docket uses for each tool of Claude Code. Source: its documentation of tools. */
const permissionsOf: Readonly<Record<string, readonly string[]>> = {
  Agent: ["task", "async_task", "async_task_result", "async_task_gather", "async_task_cancel"],
  AskUserQuestion: ["question"],
  Bash: ["bash"],
  BashOutput: ["bash"],
  Edit: ["edit"],
  EnterPlanMode: ["plan_enter"],
  ExitPlanMode: ["plan_exit"],
  Glob: ["glob", "list"],
  Grep: ["grep"],
  KillShell: ["bash"],
  LS: ["list"],
  MultiEdit: ["edit"],
  NotebookEdit: ["edit"],
  Read: ["read"],
  Skill: ["skill"],
  Task: ["task", "async_task", "async_task_result", "async_task_gather", "async_task_cancel"],
  TodoRead: ["todoread"],
  TodoWrite: ["todowrite", "todoread"],
  WebFetch: ["webfetch"],
  WebSearch: ["websearch"],
  Write: ["edit"],
}

/** Permissions that do not belong to a tool, so an agent's list of tools does not affect them. */
const noTools = new Set(["doom_loop", "external_directory", "sandbox"])

/** Keys with the same meaning in both programs. */
const sameKeys = new Set(["description", "color", "isolation", "permission"])
/** Keys of Claude Code without a counterpart, with the alternative in Docket. */
const withoutCounterpart: Readonly<Record<string, string>> = {
  background: "the agent that delegates decides whether it waits.",
  effort: 'choose one of the model\'s variants with "variant" in an agent of Docket.',
  hooks: "Docket runs no hooks of an agent, only those in settings.",
  initialPrompt: "write it into the text below.",
  mcpServers: "Docket starts no servers for an agent.",
  memory: "agents of Docket share the memory of the project.",
  permissionMode: 'your rules count; write "permission" in an agent of Docket.',
  skills: "it may use every skill of the project.",
}

/**
 * Translates the frontmatter of a Claude Code subagent. Its tool list only restricts permissions: the user's rules
 * decide on a listed tool, one with a pattern is asked for, any other is denied. Keys without a counterpart are
 * reported and left out.
 */
export function translateClaudeAgent(given: Record<string, unknown>): TranslatedAgent {
  const faults: Fault[] = []
  const settings: Record<string, unknown> = { mode: "subagent" }
  const { tools, disallowedTools, model, maxTurns, name: _, ...rest } = given
  for (const [key, value] of Object.entries(rest)) {
    const instead = Object.hasOwn(withoutCounterpart, key) ? withoutCounterpart[key] : undefined
    if (sameKeys.has(key)) settings[key] = value
    else if (instead !== undefined) faults.push({ path: [key], message: `"${key}" is not carried over: ${instead}` })
    else {
      const known = [...sameKeys, ...Object.keys(withoutCounterpart), "tools", "disallowedTools", "model", "maxTurns"]
      faults.push({ path: [key], message: `unknown key "${key}", ignored.${didYouMean(key, known)}` })
    }
  }
  if (maxTurns !== undefined) settings.steps = maxTurns
  if (model !== undefined) Object.assign(settings, readModel(model, faults))
  const listed = tools === undefined ? null : readTools("tools", tools, faults)
  const denied = disallowedTools === undefined ? [] : readTools("disallowedTools", disallowedTools, faults)
  const rights = { ...(listed && onlyTools(listed)), ...withoutTools(denied) }
  const own = isRecord(given.permission) ? given.permission : {}
  // An unreadable `permission` stays as it is given, so that the reader reports it.
  const isReadable = given.permission === undefined || isRecord(given.permission)
  if (Object.keys(rights).length > 0 && isReadable) {
    settings.permission = { ...own, ...rights }
  }
  return { settings, renamed: { permission: "tools", steps: "maxTurns" }, faults }
}

function readModel(model: unknown, faults: Fault[]): { model?: unknown } {
  if (model === "inherit" || model === "default") return {}
  if (typeof model === "string" && /^claude-[\w.-]+$/.test(model)) return { model: `anthropic/${model}` }
  if (typeof model !== "string" || model.includes("/")) return { model }
  const message = `"model": "${model}" is a name of Claude Code's. The session's model is used; write it as "provider/model" to choose one.`
  faults.push({ path: ["model"], message })
  return {}
}

interface ListedTool {
  permissions: readonly string[]
  /** The part of the tool that is meant; null for the whole tool. */
  pattern: string | null
}

/** Reads `Read, Bash(git *)` or a list of such names; unknown ones are reported. */
function readTools(key: string, given: unknown, faults: Fault[]): ListedTool[] {
  const items = typeof given === "string" ? (given.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []) : given
  if (!Array.isArray(items)) {
    faults.push({ path: [key], message: `"${key}": names with commas between them were expected. No tool is in it.` })
    return key === "tools" ? [] : [{ permissions: ["*"], pattern: null }]
  }
  return items.flatMap((item): ListedTool[] => {
    const [, name = "", pattern] = /^([^(]*)(?:\((.*)\))?$/.exec(String(item).trim()) ?? []
    if (name === "*") return [{ permissions: ["*"], pattern: null }]
    const permissions = Object.hasOwn(permissionsOf, name) ? permissionsOf[name] : undefined
    if (permissions === undefined) {
      const advice = didYouMean(name, Object.keys(permissionsOf))
      faults.push({ path: [key], message: `"${key}": Docket has no tool like "${name}"; it is left out.${advice}` })
      return []
    }
    const means = pattern === undefined || pattern === "*" ? null : pattern.replace(/:\*$/, " *")
    return [{ permissions: permissions.filter((permission) => permissionNames.includes(permission)), pattern: means }]
  })
}

/** Denies every tool that is not listed. It allows nothing: other rules decide on the listed tools. */
function onlyTools(listed: readonly ListedTool[]): Record<string, unknown> {
  if (listed.some(({ permissions }) => permissions.includes("*"))) return {}
  const rules = permissionNames.flatMap((permission): [string, unknown][] => {
    if (noTools.has(permission)) return []
    const named = listed.filter(({ permissions }) => permissions.includes(permission))
    if (named.some(({ pattern }) => pattern === null)) return []
    const patterns = named.flatMap(({ pattern }) => (pattern === null ? [] : [[pattern, "ask"]]))
    return [[permission, patterns.length === 0 ? "deny" : { "*": "deny", ...Object.fromEntries(patterns) }]]
  })
  return Object.fromEntries(rules)
}

function withoutTools(denied: readonly ListedTool[]): Record<string, unknown> {
  const rules: Record<string, Record<string, "deny">> = {}
  for (const { permissions, pattern } of denied) {
    for (const permission of permissions) rules[permission] = { ...rules[permission], [pattern ?? "*"]: "deny" }
  }
  return rules
}
