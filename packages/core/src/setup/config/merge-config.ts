import { type HooksConfig, hookEvents, type PermissionConfig } from "../../ground/schema/index.ts"
import { mergeMcp } from "../../ground/schema/mcp-config.ts"
import { isRecord } from "./is-record.ts"
import type { Config } from "./schema.ts"

/** Maps that replaced a plain value. That value had replaced all below it, so nothing lower is merged into them. */
const replacing = new WeakSet<object>()

/** Objects deeply merged; `high` wins. Associative, so it does not matter which of several files are merged first. */
export function mergeRecords(low: Record<string, unknown>, high: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...low }
  for (const [key, value] of Object.entries(high)) {
    const below = merged[key]
    // A key that comes again moves to the end: the last matching permission rule decides.
    delete merged[key]
    merged[key] = mergeValues(below, value)
  }
  return merged
}

function mergeValues(below: unknown, value: unknown): unknown {
  if (!isRecord(value) || below === undefined || replacing.has(value)) return value
  const merged = isRecord(below) ? mergeRecords(below, value) : { ...value }
  if (!isRecord(below) || replacing.has(below)) replacing.add(merged)
  return merged
}

/** The long form, so that `"ask"` below and `{ bash: "allow" }` above both count. */
function longForm(permission: PermissionConfig): PermissionConfig {
  const byName = typeof permission === "string" ? { "*": permission } : permission
  const entries = Object.entries(byName).map(([name, value]) => [
    name,
    typeof value === "string" ? { "*": value } : value,
  ])
  return Object.fromEntries(entries)
}

function withLongPermissions(config: Config): Config {
  const agents = Object.entries(config.agent ?? {}).map(([name, agent]) => [
    name,
    agent.permission ? { ...agent, permission: longForm(agent.permission) } : agent,
  ])
  return {
    ...config,
    ...(config.permission && { permission: longForm(config.permission) }),
    ...(config.agent && { agent: Object.fromEntries(agents) }),
  }
}

/** The hooks of both, those of `low` first. */
function joinHooks(low: HooksConfig, high: HooksConfig): HooksConfig {
  const joined = hookEvents.flatMap((event) => {
    const groups = [...(low[event] ?? []), ...(high[event] ?? [])]
    return groups.length === 0 ? [] : [[event, groups]]
  })
  return Object.fromEntries(joined)
}

/**
 * Merges two configs deeply; `high` wins. Lists of instructions, of plugins and of hooks are joined, those of providers only narrow what is used,
 * other lists are replaced.
 */
export function mergeConfig(low: Config, high: Config): Config {
  // Both are Configs, and the merge takes every leaf from one of them at the same place.
  const merged = mergeRecords(withLongPermissions(low), withLongPermissions(high)) as Config
  if (low.instructions && high.instructions) {
    merged.instructions = [...new Set([...low.instructions, ...high.instructions])]
  }
  if (low.plugin && high.plugin) merged.plugin = [...low.plugin, ...high.plugin]
  if (low.disabled_providers && high.disabled_providers) {
    merged.disabled_providers = [...new Set([...low.disabled_providers, ...high.disabled_providers])]
  }
  // Variables and headers are for the program or the address beside which they stand.
  if (low.mcp && high.mcp) merged.mcp = mergeMcp(low.mcp, high.mcp)
  for (const [name, { acp }] of Object.entries(high.agent ?? {})) {
    if (acp !== undefined) merged.agent = { ...merged.agent, [name]: { ...merged.agent?.[name], acp } }
  }
  if (low.hooks && high.hooks) merged.hooks = joinHooks(low.hooks, high.hooks)
  // A key is for the engine and the address beside which it stands.
  if (high.websearch) merged.websearch = high.websearch
  const { enabled_providers: above } = high
  if (low.enabled_providers && above) {
    merged.enabled_providers = low.enabled_providers.filter((id) => above.includes(id))
  }
  return merged
}

/**
 * Merges configs, lowest priority first. It merges by halves: the result is the same as one by one, and each of many
 * agents is copied only a few times.
 */
export function mergeConfigs(configs: readonly Config[]): Config {
  const [first = {}, ...rest] = configs
  if (rest.length === 0) return mergeConfig({}, first)
  const half = Math.ceil(configs.length / 2)
  return mergeConfig(mergeConfigs(configs.slice(0, half)), mergeConfigs(configs.slice(half)))
}
