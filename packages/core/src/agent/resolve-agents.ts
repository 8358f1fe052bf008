import { didYouMean } from "../config/nearest-name.ts"
import { AgentConfig, type Config } from "../config/schema.ts"
import { DocketError } from "../error.ts"
import { defaultRules, mergeRules, rulesFromConfig } from "../permission/index.ts"
import { parseModelRef } from "../provider/model-ref.ts"
import type { Agent, PermissionConfig, PermissionRuleset } from "../schema/index.ts"
import { type BuiltinAgent, builtinAgents } from "./builtin-agents.ts"

export interface ResolveAgentsOptions {
  /** Replaces `~/` in patterns. */
  home?: string
  /** Absolute directories outside the worktree that tools may use without a question. */
  externalDirectories?: string[]
}

const knownKeys = new Set(Object.keys(AgentConfig.shape))
/** Tools that share the permission `edit`. */
const editTools = new Set(["edit", "write", "patch", "apply_patch", "multiedit"])

/** `tools: { bash: false }`, the older way to say `permission: { bash: "deny" }`. */
function legacyToolPermission(tools: Record<string, boolean>): PermissionConfig {
  return Object.fromEntries(
    Object.entries(tools).map(([tool, on]) => [editTools.has(tool) ? "edit" : tool, on ? "allow" : "deny"]),
  )
}

function rulesOf(permission: PermissionConfig | undefined, options: ResolveAgentsOptions): PermissionRuleset {
  if (permission === undefined) return []
  return rulesFromConfig(permission, options.home === undefined ? {} : { home: options.home })
}

const customBase: BuiltinAgent = {
  name: "",
  description: "",
  mode: "all",
  hidden: false,
  permission: {},
  model: null,
  prompt: null,
  temperature: null,
  topP: null,
  steps: null,
  color: null,
  options: {},
}

function resolveAgent(
  builtin: BuiltinAgent | undefined,
  name: string,
  config: Config,
  options: ResolveAgentsOptions,
): Agent {
  const low = builtin ?? customBase
  const high = config.agent?.[name]
  const unknown = Object.entries(high ?? {}).filter(([key]) => !knownKeys.has(key))
  // A hidden agent works for the runtime, without tools: what the user allows everyone is not meant for it.
  const everyone = builtin?.hidden ? [] : rulesOf(config.permission, options)
  return {
    name,
    native: builtin !== undefined,
    description: high?.description ?? low.description,
    mode: high?.mode ?? low.mode,
    hidden: high?.hidden ?? low.hidden,
    permission: mergeRules(
      defaultRules(options.externalDirectories),
      rulesOf(low.permission, options),
      everyone,
      rulesOf(high?.tools && legacyToolPermission(high.tools), options),
      rulesOf(high?.permission, options),
    ),
    model: high?.model === undefined ? low.model : parseModelRef(high.model),
    prompt: high?.prompt ?? low.prompt,
    temperature: high?.temperature ?? low.temperature,
    topP: high?.top_p ?? low.topP,
    steps: high?.steps ?? low.steps,
    color: high?.color ?? low.color,
    options: { ...low.options, ...Object.fromEntries(unknown) },
  }
}

/**
 * Every agent of a project: those that ship with Docket in their order, then the user's by name. Config and
 * Markdown agents have full parity with built-in ones: they may change any field of one, disable it
 * (`disable`), or add a new one (mode `all` unless said). Unknown keys become provider options. Rules:
 * defaults, then the agent's, then the user's for everyone, then the user's for this agent; the last match wins.
 */
export function resolveAgents(config: Config, options: ResolveAgentsOptions = {}): Agent[] {
  const builtinNames = builtinAgents.map(({ name }) => name)
  const custom = Object.keys(config.agent ?? {}).filter((name) => !builtinNames.includes(name))
  return [...builtinNames, ...custom.sort()]
    .filter((name) => config.agent?.[name]?.disable !== true)
    .map((name) =>
      resolveAgent(
        builtinAgents.find((agent) => agent.name === name),
        name,
        config,
        options,
      ),
    )
}

/** The agent called `name`. @throws agent_not_found, naming those that exist */
export function findAgent(agents: readonly Agent[], name: string): Agent {
  const found = agents.find((agent) => agent.name === name)
  if (found) return found
  const visible = agents.filter(({ hidden }) => !hidden).map((agent) => agent.name)
  const message = `There is no agent "${name}".${didYouMean(name, visible)} Agents here: ${visible.join(", ")}.`
  throw new DocketError("agent_not_found", message)
}

/**
 * The agent of a new session: `default_agent`, else build, else the first primary one.
 * @throws config_invalid when `default_agent` is unknown, hidden or a subagent, or when no agent can lead
 */
export function defaultAgent(agents: readonly Agent[], config: Config): Agent {
  const primary = agents.filter(({ hidden, mode }) => !hidden && mode !== "subagent")
  const wanted = config.default_agent
  const found = wanted === undefined ? undefined : primary.find(({ name }) => name === wanted)
  const names = primary.map(({ name }) => name)
  if (wanted !== undefined && !found) {
    const message = `default_agent "${wanted}" is not an agent that can lead a session.${didYouMean(wanted, names)} Choose one of: ${names.join(", ")}.`
    throw new DocketError("config_invalid", message)
  }
  const agent = found ?? primary.find(({ name }) => name === "build") ?? primary[0]
  if (!agent) throw new DocketError("config_invalid", "Every primary agent is disabled; enable one in docket.json.")
  return agent
}
