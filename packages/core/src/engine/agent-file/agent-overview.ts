import type { Agent } from "../../ground/schema/index.ts"
import { type ExplainedFrom, explainAgent } from "../../setup/agent/explain-agents.ts"
import { resolveAgents } from "../../setup/agent/resolve-agents.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import type { LoadedConfig } from "../../setup/config/loaded-config.ts"
import type { AgentOverview, AgentSource, DefinedAgent } from "./agent-file-service.ts"
import type { AgentPath } from "./agent-path.ts"

export interface OverviewDeps {
  home: string
  /** See `knownAgentPath`. */
  pathOf(file: string): AgentPath | null
  /** Whether a docket.json belongs to the user. */
  isOwn(file: string): boolean
  /** Why the model of an agent cannot be used; null when it can be used. */
  modelProblemOf(agent: Agent): Promise<string | null>
}

/** All agents of a project, with hidden and disabled ones, each with the files that define it. */
export async function overviewOf(
  deps: OverviewDeps,
  loaded: LoadedConfig,
  agents: readonly Agent[],
): Promise<AgentOverview> {
  const all = [...agents.map((agent) => ({ agent, disabled: false })), ...disabledAgents(loaded)]
  const defined = await Promise.all(all.map((entry) => defineAgent(deps, loaded, entry)))
  const told = new Set(defined.flatMap(({ problems }) => problems))
  return {
    agents: defined,
    waiting: waitingAgents(loaded, deps),
    problems: loaded.problems.filter((problem) => !told.has(problem) && isLeftOver(deps, problem, loaded)),
  }
}

/** Disabled agents, as they would be if they were enabled. */
function disabledAgents({ config }: LoadedConfig): { agent: Agent; disabled: boolean }[] {
  const off = Object.entries(config.agent ?? {}).filter(([, { disable }]) => disable === true)
  const names = new Set(off.map(([name]) => name))
  const on = resolveAgents({
    ...config,
    agent: Object.fromEntries(off.map(([name, { disable: _, ...rest }]) => [name, rest])),
  })
  return on.filter(({ name }) => names.has(name)).map((agent) => ({ agent, disabled: true }))
}

async function defineAgent(
  deps: OverviewDeps,
  loaded: LoadedConfig,
  { agent, disabled }: { agent: Agent; disabled: boolean },
): Promise<DefinedAgent> {
  const from: ExplainedFrom = { sources: loaded.sources, home: deps.home }
  const explained = explainAgent(agent, from)
  const broken = loaded.problems.filter(({ message }) => message.includes(`The agent "${agent.name}" is left out`))
  const files = [...new Set([...broken.map(({ file }) => file), ...explained.from])]
  const sources = files.map((file) => sourceOf(deps, loaded, { file, name: agent.name }))
  const { hidden, variant, temperature, topP, steps, color } = agent
  return {
    ...explained,
    hidden: hidden && agent.problem === null,
    variant,
    temperature,
    topP,
    steps,
    color,
    disabled,
    modelProblem: agent.model === null ? null : await deps.modelProblemOf(agent),
    sources,
    problems: loaded.problems.filter((problem) => isAbout(problem, agent.name, sources)),
  }
}

function sourceOf(
  deps: OverviewDeps,
  { sources }: LoadedConfig,
  { file, name }: { file: string; name: string },
): AgentSource {
  const path = deps.pathOf(file)
  if (path !== null) return { file, line: 1, format: "markdown", origin: path.origin, owner: path.owner }
  const owner = deps.isOwn(file) ? "user" : "project"
  const line = sources.find((source) => source.file === file)?.place(["agent", name]).line ?? 1
  return { file, line, format: "json", origin: "docket", owner }
}

/** A Markdown file defines one agent. A problem in a docket.json names its agent. */
function isAbout({ file, message }: ConfigProblem, name: string, sources: readonly AgentSource[]): boolean {
  const source = sources.find((source) => source.file === file)
  return source !== undefined && (source.format === "markdown" || message.startsWith(`agent "${name}":`))
}

function isLeftOver({ pathOf }: OverviewDeps, { file }: ConfigProblem, { trust }: LoadedConfig): boolean {
  const waits = trust.entries.some((entry) => entry.file === file && !entry.counts)
  return pathOf(file) !== null && !waits
}

/** The agents that the project's files would define if the user trusted them, once per file. */
function waitingAgents({ trust }: LoadedConfig, { pathOf }: OverviewDeps): AgentOverview["waiting"] {
  const found = new Map<string, AgentOverview["waiting"][number]>()
  for (const { counts, path, file, line } of trust.entries) {
    const [section, name] = path
    if (counts || section !== "agent" || name === undefined) continue
    const key = `${name}\n${file}`
    if (!found.has(key)) found.set(key, { name, file, line: pathOf(file) === null ? line : 1 })
  }
  return [...found.values()]
}
