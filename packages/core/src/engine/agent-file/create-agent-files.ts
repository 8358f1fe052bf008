import { createFileLocks } from "../../acts/tool/file-locks.ts"
import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import type { Agent, Caller, Project } from "../../ground/schema/index.ts"
import type { AddedAgents } from "../../setup/agent/added-agents.ts"
import { type ExplainedFrom, explainAgent } from "../../setup/agent/explain-agents.ts"
import { resolveAgents } from "../../setup/agent/resolve-agents.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import { textDigest } from "../../setup/config/digest.ts"
import type { LoadedConfig } from "../../setup/config/loaded-config.ts"
import { userPlace } from "../../setup/config/read-config-sources.ts"
import type { OwnChange } from "../../setup/trust/project-trusts.ts"
import type {
  AgentDraft,
  AgentFileChange,
  AgentFileService,
  AgentOverview,
  AgentSource,
  DefinedAgent,
} from "./agent-file-service.ts"
import { type AgentPath, type AgentPlaceDeps, knownAgentPath, newAgentPath, realAgentPath } from "./agent-path.ts"
import { readAgentText, removeAgentText, writeAgentText } from "./write-agent-file.ts"

interface AgentFilesDeps extends AgentPlaceDeps {
  projectByID(id: string): Promise<Project>
  configOf(project: Project): Promise<LoadedConfig>
  /** The agents that count, and what plugins set of them. */
  settingsOf(project: Project): Promise<{ agents: Agent[]; added: Pick<AddedAgents, "sources" | "problems"> }>
  /** @throws when the model cannot be used */
  checkModel(config: LoadedConfig["config"], model: NonNullable<Agent["model"]>): Promise<void>
  /** See `makeOwnChange`. Also notifies clients that show the configuration. */
  makeChange(change: OwnChange, by: Caller): Promise<boolean>
}

/** Reads, creates, changes and deletes agent files. */
export interface AgentFiles {
  /** Changes through this service name `by` as their author. */
  as(by: Caller): AgentFileService
}

export function createAgentFiles(deps: AgentFilesDeps): AgentFiles {
  const withLock = createFileLocks()
  const neverAborted = new AbortController().signal
  const known = async (projectID: string, file: string) => {
    const project = await deps.projectByID(projectID)
    const path = knownAgentPath(deps, project, file)
    if (path === null) throw noSuchFile(file)
    return { project, path, real: await realAgentPath(path, project.worktree) }
  }
  const change = (
    by: Caller,
    { project, path, real }: { project: Project; path: AgentPath; real: string },
    { text, write }: { text: string | null; write(): Promise<void> },
  ): Promise<AgentFileChange> =>
    withLock(real, neverAborted, async () => {
      const digest = text === null ? null : textDigest(text)
      const counts = await deps.makeChange({ project, file: path.file, digest, write }, by)
      return { file: path.file, counts: path.owner === "user" || counts }
    })
  return {
    as: (by) => ({
      overview: async (projectID) => overview(deps, await deps.projectByID(projectID)),
      async read(projectID, file) {
        const { real } = await known(projectID, file)
        const text = await readAgentText(real)
        if (text === null) throw noSuchFile(file)
        return { file, text, hash: textDigest(text) }
      },
      draft: (given) => draft(deps, given),
      async create({ projectID, owner, name, text, replaces }) {
        const project = await deps.projectByID(projectID)
        const path = newAgentPath(deps, project, { owner, name })
        if (!replaces) refuseTaken(name, await overview(deps, project))
        const real = await realAgentPath(path, project.worktree)
        return change(by, { project, path, real }, { text, write: () => writeAgentText(real, null, text) })
      },
      async update({ projectID, file, hash, text }) {
        const at = await known(projectID, file)
        return change(by, at, { text, write: () => writeAgentText(at.real, hash, text) })
      },
      async remove({ projectID, file, hash }) {
        const at = await known(projectID, file)
        return change(by, at, { text: null, write: () => removeAgentText(at.real, hash) })
      },
    }),
  }
}

async function overview(deps: AgentFilesDeps, project: Project) {
  const [loaded, { agents, added }] = await Promise.all([deps.configOf(project), deps.settingsOf(project)])
  const own = userPlace(deps).directory
  const from = {
    home: deps.home,
    pathOf: (file: string) => knownAgentPath(deps, project, file),
    isOwn: (file: string) => isWithin(own, file) || !isWithin(project.worktree, file),
    async modelProblemOf({ model }: Agent) {
      if (model === null) return null
      return deps.checkModel(loaded.config, model).then(
        () => null,
        (error: unknown) => {
          if (!isDocketError(error)) throw error
          return error.message
        },
      )
    },
  }
  return overviewOf(from, { ...loaded, added }, agents)
}

async function draft(
  { programs }: AgentFilesDeps,
  { name, origin, text, form }: Parameters<AgentFileService["draft"]>[0],
): Promise<AgentDraft> {
  // The YAML parser is loaded only when needed.
  const [{ parseAgentMarkdown }, { formOf, writeForm }] = await Promise.all([
    import("../../setup/config/parse-agent-markdown.ts"),
    import("./agent-form.ts"),
  ])
  const read = (given: string) => parseAgentMarkdown({ file: `${name}.md`, name, origin }, given, { programs })
  const isTranslated = origin === "claude"
  const asForm = (given: string) => {
    const { agent } = given.trim() === "" ? { agent: {} } : read(given)
    return agent === null || isTranslated ? null : formOf(agent)
  }
  const before = asForm(text)
  const written = form === undefined || before === null ? null : writeForm(text, before, form)
  const now = written ?? text
  return { text: now, form: asForm(now), problems: now.trim() === "" ? [] : read(now).problems }
}

/** Names that differ only in case would be one file on some machines. */
function refuseTaken(name: string, { agents, waiting }: Awaited<ReturnType<typeof overview>>): void {
  const taken = [...agents, ...waiting].find((other) => other.name.toLowerCase() === name.toLowerCase())
  if (taken === undefined) return
  const isBuiltin = agents.some((agent) => agent.name === taken.name && agent.native)
  const message = `There is an agent "${taken.name}" already${isBuiltin ? ", which ships with Docket" : ""}. Choose another name, or say that this one is to count in its place.`
  throw new DocketError("invalid_input", message)
}

function noSuchFile(file: string): DocketError {
  return new DocketError("agent_not_found", `${file} is not an agent file of this project or user, or it was deleted.`)
}

interface OverviewDeps {
  home: string
  /** See `knownAgentPath`. */
  pathOf(file: string): AgentPath | null
  /** Whether a docket.json belongs to the user. */
  isOwn(file: string): boolean
  /** Why the model of an agent cannot be used; null when it can be used. */
  modelProblemOf(agent: Agent): Promise<string | null>
}

/** The configuration, and what plugins add to it. */
type Readings = LoadedConfig & { added: Pick<AddedAgents, "sources" | "problems"> }

/** All agents of a project, with hidden and disabled ones, each with the files that define it. */
async function overviewOf(deps: OverviewDeps, loaded: Readings, agents: readonly Agent[]): Promise<AgentOverview> {
  const all = [...agents.map((agent) => ({ agent, disabled: false })), ...disabledAgents(loaded)]
  const defined = await Promise.all(all.map((entry) => defineAgent(deps, loaded, entry)))
  const reported = new Set(defined.flatMap(({ problems }) => problems))
  return {
    agents: defined,
    waiting: waitingAgents(loaded, deps),
    problems: loaded.problems.filter((problem) => !reported.has(problem) && isLeftOver(deps, problem, loaded)),
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
  loaded: Readings,
  { agent, disabled }: { agent: Agent; disabled: boolean },
): Promise<DefinedAgent> {
  const from: ExplainedFrom = { sources: [...loaded.added.sources, ...loaded.sources], home: deps.home }
  const explained = explainAgent(agent, from)
  const broken = loaded.problems.filter(({ message }) => message.includes(`The agent "${agent.name}" is left out`))
  const files = [...new Set([...broken.map(({ file }) => file), ...explained.from])]
  const sources = files.map((file) => sourceOf(deps, loaded, { file, name: agent.name }))
  const { hidden, variant, temperature, topP, steps, color } = agent
  return {
    ...explained,
    // A broken agent is marked as hidden only so that nobody works with it.
    hidden: hidden && agent.problem === null,
    variant,
    temperature,
    topP,
    steps,
    color,
    disabled,
    modelProblem: agent.model === null ? null : await deps.modelProblemOf(agent),
    sources,
    problems: [
      ...loaded.problems.filter((problem) => isAbout(problem, agent.name, sources)),
      ...loaded.added.problems.filter(({ message }) => message.startsWith(`The agent "${agent.name}" of`)),
    ],
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
  const entry = sources.find((source) => source.file === file && source.config.agent?.[name] !== undefined)
  if (entry === undefined) return { file, line: 1, format: "plugin", origin: "docket", owner }
  const { line } = entry.place(["agent", name])
  return { file, line: line ?? 1, format: "json", origin: "docket", owner }
}

/** A Markdown file defines one agent. A problem in a docket.json names its agent. */
function isAbout({ file, message }: ConfigProblem, name: string, sources: readonly AgentSource[]): boolean {
  const source = sources.find((source) => source.file === file)
  return source !== undefined && (source.format === "markdown" || message.startsWith(`agent "${name}":`))
}

/** Whether a problem lies in an agent's file that applies, that is, does not wait for trust. */
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
