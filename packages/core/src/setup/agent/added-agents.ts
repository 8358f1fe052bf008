import type { PluginAdditions } from "../../ground/schema/index.ts"
import { type Closure, type ConfigCeiling, type ConfigProblem, configCeiling } from "../config/config-report.ts"
import { mergeConfig } from "../config/merge-config.ts"
import { readAgent } from "../config/read-agent.ts"
import type { AgentConfig, Config } from "../config/schema.ts"
import { builtinAgents } from "./builtin-agents.ts"
import type { RuleSource } from "./explain-agents.ts"

/** The agents of a project with those that plugins add, and what restricts them. */
export interface AddedAgents {
  /** The configuration with the entries of plugins below all that files say. */
  config: Config
  ceilings: ConfigCeiling[]
  closures: Closure[]
  /** The entries of each plugin, by the file in which it is configured. */
  sources: RuleSource[]
  problems: ConfigProblem[]
}

interface Configured {
  /** The user's configuration with what counts of the project. */
  config: Config
  /** The user's alone. */
  own: Config
}

/**
 * Adds agents of plugins to a configuration. The user's own plugins may also change agents; a project's only bring new ones.
 * What the user's configuration denies, none of them may do.
 */
export function addAgents(
  { config, own }: Configured,
  { agents, tools }: Pick<PluginAdditions, "agents" | "tools">,
): AddedAgents {
  const taken = new Set([...builtinAgents.map(({ name }) => name), ...Object.keys(config.agent ?? {})])
  const read = agents
    .filter(({ name, isOwn }) => isOwn || !taken.has(name))
    .map((added) => ({ ...added, ...readAgent(added.name, added.value, undefined, tools) }))
  if (read.length === 0) return { config, ceilings: [], closures: [], sources: [], problems: [] }
  const entriesOf = (some: typeof read): Record<string, AgentConfig> =>
    Object.fromEntries(some.flatMap(({ name, agent }) => (agent === null ? [] : [[name, agent]])))
  // What a plugin allows lifts no denial for everyone, and what the user's plugin denies is lifted by the user alone.
  const { agent: ofUser } = mergeConfig({ agent: entriesOf(read.filter(({ isOwn }) => isOwn)) }, own)
  return {
    config: mergeConfig({ agent: entriesOf(read) }, config),
    ceilings: [configCeiling(own, "denials"), configCeiling({ ...(ofUser && { agent: ofUser }) }, "denials")],
    closures: read.flatMap(({ closures }) => closures),
    sources: read.map((one) => ({ file: one.file, config: { agent: entriesOf([one]) } })),
    problems: read.flatMap(({ name, by, file, faults }) =>
      faults.map(({ message }): ConfigProblem => {
        return { file, line: null, column: null, message: `The agent "${name}" of the plugin ${by}: ${message}` }
      }),
    ),
  }
}
