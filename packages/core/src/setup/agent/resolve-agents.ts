import { basename } from "node:path"
import { DocketError } from "../../ground/error/docket-error.ts"
import { didYouMean } from "../../ground/error/nearest-name.ts"
import { modelOfProgram } from "../../ground/message/program-of-model.ts"
import { defaultRules, mergeRules, rulesFromConfig } from "../../ground/rule/index.ts"
import type {
  AcpConfig,
  Agent,
  ModelRef,
  PermissionConfig,
  PermissionRule,
  PermissionRuleset,
} from "../../ground/schema/index.ts"
import { type McpServer, mcpPrefix } from "../../ground/schema/mcp-config.ts"
import type { Closure } from "../config/config-report.ts"
import { AgentConfig, type Config } from "../config/schema.ts"
import { toolsPermission } from "../config/tool-names.ts"
import { parseModelRef } from "../provider/model-choice.ts"
import { type BuiltinAgent, base, builtinAgents, planAgent } from "./builtin-agents.ts"

export interface ResolveAgentsOptions {
  /** Replaces `~/` in patterns. */
  home?: string
  /** Absolute directories outside the worktree that tools may use without asking. */
  externalDirectories?: string[]
  /** Names of files that define tools: their tools ask, and plan mode does without them. */
  toolFiles?: readonly string[]
  /** What rules for the tools of MCP servers begin with; see `mcpRules`. */
  mcpServers?: readonly McpServer[]
  /** Restrictions for parts of the config that cannot be read. */
  closures?: readonly Closure[]
}

const knownKeys = new Set(Object.keys(AgentConfig.shape))

/** The rules of a config entry; empty when it is missing. */
export function rulesOf(permission: PermissionConfig | undefined, options: ResolveAgentsOptions): PermissionRuleset {
  if (permission === undefined) return []
  return rulesFromConfig(permission, options.home === undefined ? {} : { home: options.home })
}

/** The rules of an agent's own entry; none when there is no entry. */
export function ownRules(
  agent: Pick<AgentConfig, "permission" | "tools"> | undefined,
  options: ResolveAgentsOptions,
): PermissionRuleset {
  const { tools, permission } = agent ?? {}
  return [...rulesOf(tools && toolsPermission(tools), options), ...rulesOf(permission, options)]
}

/** Turns every "allow" into "ask", and adds what the unreadable text clearly denies. */
function holdBack(rules: PermissionRuleset, closures: readonly Closure[], options: ResolveAgentsOptions) {
  if (closures.length === 0) return rules
  const asking = rules.map((rule) => (rule.action === "allow" ? askInstead(rule) : rule))
  return mergeRules(asking, ...closures.map(({ deny }) => rulesOf(deny, options)))
}

function askInstead(rule: PermissionRule): PermissionRule {
  return { ...rule, action: "ask", heldBack: true }
}

/** The same rule for all tools of these files: each is named like its file, with or without the name of an export. */
function rulesOfToolFiles(
  { toolFiles = [] }: ResolveAgentsOptions,
  action: PermissionRule["action"],
): PermissionRuleset {
  return toolFiles.flatMap((name) => [name, `${name}_*`].map((permission) => ({ permission, pattern: "*", action })))
}

/**
 * What the tools of servers need where no other rule is about them. A tool that says of itself that it only reads, and
 * only here, is asked for by a pattern that begins with `reads`: the user's own servers are believed.
 */
function mcpRules({ mcpServers = [] }: ResolveAgentsOptions): PermissionRuleset {
  const known = mcpServers.map(({ name, scope, config: { permission: action } }) => {
    return { prefix: mcpPrefix(name), action: action ?? "ask", isBelieved: scope === "user" && action === undefined }
  })
  // What is said of \`git\` says nothing of \`git_hub\`, and of two that are named alike the stricter one decides.
  const strictness = { allow: 0, ask: 1, deny: 2 }
  known.sort(
    (a, b) =>
      a.prefix.length - b.prefix.length ||
      strictness[a.action] - strictness[b.action] ||
      Number(b.isBelieved) - Number(a.isBelieved),
  )
  const reading: PermissionRuleset =
    mcpServers.length === 0 ? [] : [{ permission: "read_mcp_resource", pattern: "*", action: "ask" }]
  const tools = known.flatMap(({ prefix, action, isBelieved }): PermissionRuleset => {
    const permission = `${prefix}_*`
    return [
      { permission, pattern: "*", action },
      ...(isBelieved ? [{ permission, pattern: "reads *", action: "allow" } as const] : []),
    ]
  })
  return [...reading, ...tools]
}

const customBase: BuiltinAgent = { ...base, name: "", description: "", mode: "all", permission: {} }

function resolveAgent(
  builtin: BuiltinAgent | undefined,
  name: string,
  config: Config,
  options: ResolveAgentsOptions,
): Agent {
  const low = builtin ?? customBase
  const high = config.agent?.[name]
  const unknownFields = Object.entries(high ?? {}).filter(([key]) => !knownKeys.has(key))
  // A hidden agent works for the runtime without tools, so the user's rules for everyone do not apply to it.
  const everyone = builtin?.hidden ? [] : rulesOf(config.permission, options)
  const rules = mergeRules(
    defaultRules(options.externalDirectories),
    rulesOfToolFiles(options, "ask"),
    mcpRules(options),
    rulesOf(low.permission, options),
    name === planAgent ? rulesOfToolFiles(options, "deny") : [],
    everyone,
    ownRules(high, options),
  )
  const closures = (options.closures ?? []).filter(({ agent }) => agent === null || agent === name)
  return {
    name,
    native: builtin !== undefined,
    description: high?.description ?? low.description,
    mode: high?.mode ?? (high?.acp === undefined ? low.mode : "subagent"),
    hidden: high?.hidden ?? low.hidden,
    permission: holdBack(rules, closures, options),
    model: modelOf(high) ?? low.model,
    variant: high?.variant ?? low.variant,
    prompt: high?.prompt ?? low.prompt,
    temperature: high?.temperature ?? low.temperature,
    topP: high?.top_p ?? low.topP,
    steps: high?.steps ?? low.steps,
    color: high?.color ?? low.color,
    options: { ...low.options, ...Object.fromEntries(unknownFields), ...high?.options },
    ...(high?.acp && { program: programOf(high.acp) }),
    problem: null,
  }
}

/** The model of an agent as its entry names it. What a program works with is its own matter, and is only named. */
function modelOf(agent: AgentConfig | undefined): ModelRef | null {
  if (agent?.acp !== undefined) return modelOfProgram(programOf(agent.acp), agent.acp.model)
  return agent?.model === undefined ? null : parseModelRef(agent.model)
}

/** A program as people know it: the package that is run, or the name of the file. */
function programOf({ command, args = [] }: AcpConfig): string {
  const name = basename(command)
  const isRunner = /^(?:node|npx|bunx|bun|deno|uvx|python\d*)$/.test(name)
  const named = isRunner ? args.find((word) => !word.startsWith("-") && word !== "run") : undefined
  return named === undefined ? name : basename(named).replace(/(.)@[^@]*$/, "$1")
}

/** The placeholder for an agent that cannot be read, so that no other agent replaces it. It may do nothing. */
function unusableAgent(name: string, native: boolean, problem: string): Agent {
  return {
    ...customBase,
    name,
    native,
    hidden: true,
    permission: [{ permission: "*", pattern: "*", action: "deny" }],
    problem: `The agent "${name}" cannot be used: ${problem}. Mend it, or choose another agent.`,
  }
}

/**
 * All agents of a project: Docket's own in their order, then the user's by name. The config and Markdown files may
 * change any field of a built-in agent, disable it (`disable`), or add a new one (mode `all` by default). Unknown keys
 * become provider options. Order of rules: defaults, the agent's, the user's for everyone, the user's for this agent;
 * the last match wins. `closures` restrict the result; an agent that cannot be read has a `problem`.
 */
export function resolveAgents(config: Config, options: ResolveAgentsOptions = {}): Agent[] {
  const byName = new Map(builtinAgents.map((agent) => [agent.name, agent]))
  const unusable = new Map<string, string>()
  for (const { agent, unusable: problem } of options.closures ?? []) {
    // A hidden agent has no permissions that its file could restrict.
    if (agent !== null && problem !== null && !byName.get(agent)?.hidden) unusable.set(agent, problem)
  }
  const custom = [...Object.keys(config.agent ?? {}), ...unusable.keys()].filter((name) => !byName.has(name))
  return [...byName.keys(), ...[...new Set(custom)].sort()].flatMap((name) => {
    const problem = unusable.get(name)
    if (problem !== undefined) return [unusableAgent(name, byName.has(name), problem)]
    return config.agent?.[name]?.disable === true ? [] : [resolveAgent(byName.get(name), name, config, options)]
  })
}

/** The agent called `name`. @throws agent_not_found, naming the existing ones; config_invalid when it cannot be read */
export function findAgent(agents: readonly Agent[], name: string): Agent {
  const found = agents.find((agent) => agent.name === name)
  if (found) return usable(found)
  const visible = agents.filter(({ hidden }) => !hidden).map((agent) => agent.name)
  const message = `There is no agent "${name}".${didYouMean(name, visible)} Agents here: ${visible.join(", ")}. Those of a project count once you trust it.`
  throw new DocketError("agent_not_found", message)
}

/** @throws config_invalid when its file cannot be read */
function usable(agent: Agent): Agent {
  if (agent.problem !== null) throw new DocketError("config_invalid", agent.problem)
  return agent
}

/**
 * The agent of a new session: `default_agent`, else build, else the first primary one.
 * @throws config_invalid when `default_agent` is unknown, hidden or a subagent, or when no agent can lead
 */
export function defaultAgent(agents: readonly Agent[], config: Config): Agent {
  const primary = agents.filter(({ hidden, mode }) => !hidden && mode !== "subagent")
  const configured = config.default_agent
  // Do not replace an unreadable agent by another one, which may have more permissions.
  const unreadable = agents.find(({ name, problem }) => name === (configured ?? "build") && problem !== null)
  if (unreadable) return usable(unreadable)
  const found = configured === undefined ? undefined : primary.find(({ name }) => name === configured)
  const names = primary.map(({ name }) => name)
  if (configured !== undefined && !found) {
    const message = `default_agent "${configured}" is not an agent that can lead a session.${didYouMean(configured, names)} Choose one of: ${names.join(", ")}.`
    throw new DocketError("config_invalid", message)
  }
  const agent = found ?? primary.find(({ name }) => name === "build") ?? primary[0]
  if (!agent) throw new DocketError("config_invalid", "Every primary agent is disabled; enable one in docket.json.")
  return agent
}
