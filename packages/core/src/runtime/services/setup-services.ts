import { join } from "node:path"
import { findRipgrep } from "../../acts/tool/ripgrep.ts"
import { type AgentFiles, createAgentFiles } from "../../engine/agent-file/create-agent-files.ts"
import type { ExtensionHost, ExtensionPlace } from "../../engine/extension/extension-host.ts"
import { chooseModel } from "../../engine/loop/choose-model.ts"
import { createProjectReading } from "../../engine/project-reading/create-project-reading.ts"
import type { ProjectReading } from "../../engine/project-reading/project-reading.ts"
import type { TurnSetup } from "../../engine/turn/start-turn.ts"
import { isDocketError } from "../../ground/error/docket-error.ts"
import type { Agent, PluginAdditions, Project } from "../../ground/schema/index.ts"
import type { ModelSetting } from "../../records/session/sessions.ts"
import { planAgent } from "../../setup/agent/builtin-agents.ts"
import { ceilingRules } from "../../setup/agent/ceiling-rules.ts"
import { planCeiling } from "../../setup/agent/plan-ceiling.ts"
import { defaultAgent, findAgent } from "../../setup/agent/resolve-agents.ts"
import { rulesForAll } from "../../setup/agent/rules-for-all.ts"
import type { Config } from "../../setup/config/schema.ts"
import { createProjectFiles, type ProjectFiles } from "../../setup/project/project-files.ts"
import { createProjects, type Projects } from "../../setup/project/projects.ts"
import { checkModel, defaultModel } from "../../setup/provider/create-providers.ts"
import { type Credentials, createCredentials } from "../../setup/repository/credentials.ts"
import { findRepository, type RepositoryInput } from "../../setup/repository/find-repository.ts"
import { createMirrors, type Mirrors } from "../../setup/repository/mirrors.ts"
import { createProjectCheckouts, type ProjectCheckouts } from "../../setup/repository/project-checkouts.ts"
import { createProjectTrusts, type ProjectTrusts } from "../../setup/trust/project-trusts.ts"
import { type RuntimeWorkspace, unsetWorkspace } from "../../setup/workspace/runtime-workspace.ts"
import { emptyPlace, extensionPlace, homePlace } from "../extension-place.ts"
import { outputRootOf } from "../output-root.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import type { GroundServices } from "./ground-services.ts"
import type { ProgramServices } from "./program-services.ts"
import { createProjectDefinitions, type ProjectDefinitions } from "./project-definitions.ts"

/** What is set for people and projects. */
export interface SetupServices extends ProjectDefinitions {
  workspace: RuntimeWorkspace
  projects: Projects
  credentials: Credentials
  mirrors: Mirrors
  checkouts: ProjectCheckouts
  files: ProjectFiles
  projectReading: ProjectReading
  projectTrusts: ProjectTrusts
  agentFiles: AgentFiles
  extensionPlaceOf(project: Project): Promise<ExtensionPlace>
  /** The same outside of all projects: with what is the user's own. */
  extensionsAlone(): Promise<ExtensionPlace>
  agentsOf(project: Project): Promise<Agent[]>
  /** The agent of that name, or the default one. @throws when it is missing or leads no session */
  leadAgent(project: Project, name?: string): Promise<string>
  /** The agent of that name if it may lead a session, else the default one. */
  leadAgentOrUsual(project: Project, name: string): Promise<string>
  defaultModelOf(config: Config, projectID?: string): ReturnType<typeof defaultModel>
  /** @throws provider_not_found, model_not_found, no_model_available; variant_not_found for the model that would run */
  checkModel(wanted: ModelSetting, project: Project): Promise<void>
  /** What a turn of a session in the project begins with. */
  setupOf(session: { projectID: string }): Promise<TurnSetup>
  timeZone: string
}

export function createSetupServices(
  deps: RuntimeDeps,
  ground: GroundServices,
  programs: ProgramServices,
): SetupServices {
  const { home, env, providers } = deps
  const { store, createID, clock, bus, vault } = ground
  const { workspace = unsetWorkspace } = deps
  const { limits } = workspace
  const definitions = createProjectDefinitions({
    ...{ home, env, clock, limits },
    ...(deps.commandLine && { commandLine: deps.commandLine }),
    programs: deps.programs,
    store: store.trust,
    isShared: workspace.isShared,
    outputRoot: outputRootOf(deps),
    addedAgents: (project) => addedBy(hosts, () => extensionPlaceOf(project)),
  })
  const ripgrep = findRipgrep()
  const hosts = (deps.extensions ?? []).filter(({ agents }) => agents !== undefined)
  const { configs, settingsOf } = definitions
  const repositories = createRepositorySetup(deps, { vault, configs })
  const projects = createProjects({
    createID,
    clock,
    store: store.project,
    env,
    home,
    limits,
    place: deps.shared?.place,
    isNode: deps.shared?.isAlive !== undefined,
    repositories,
  })
  const placeServices = { ...programs, configs, workspace, projects, vault }
  const extensionPlaceOf = (project: Project) => extensionPlace(deps, placeServices, project)
  for (const host of deps.extensions ?? []) host.atHome?.(() => homePlace(deps, placeServices))
  const projectTrusts = createProjectTrusts({ bus, clock, store: store.trust, configs, projects })
  const defaultModelOf = (config: Config, projectID?: string) =>
    defaultModel({ providers, sessions: store.session }, config, projectID)
  const leadAgent = async (project: Project, name?: string) => {
    const { config, agents } = await settingsOf(project)
    if (name === undefined) return defaultAgent(agents, config).name
    return findAgent(
      agents.filter((agent) => !agent.hidden || agent.problem !== null),
      name,
    ).name
  }
  const checkSetting = async (wanted: ModelSetting, project: Project) => {
    const { config, agents } = await settingsOf(project)
    if (wanted.model !== null) await checkModel(providers, config, { model: wanted.model })
    if (!wanted.variant) return
    const agent = findAgent(agents, wanted.agent)
    const model = chooseModel({ input: {}, agent, session: wanted }, await providers.defaultModel(config))
    await checkModel(providers, config, { model, variant: wanted.variant })
  }
  return {
    ...definitions,
    ...{ workspace, projects, projectTrusts, extensionPlaceOf },
    ...{ credentials: repositories.credentials, mirrors: repositories.mirrors, checkouts: repositories.checkouts },
    extensionsAlone: () => emptyPlace(deps, placeServices),
    files: createProjectFiles({ ripgrep, clock }),
    projectReading: createProjectReading({
      ...{ ripgrep, env, own: deps.serviceDirectory ?? deps.dataDirectory },
      projectByID: projects.get,
      rulesOf: async (project) => rulesForAll(await configs.of(project), { home }),
    }),
    agentFiles: createAgentFiles({
      ...{ home, env, programs: deps.programs },
      projectByID: projects.get,
      configOf: configs.of,
      settingsOf,
      checkModel: (config, model) => checkModel(providers, config, { model }),
      makeChange: projectTrusts.makeOwnChange,
    }),
    agentsOf: async (project) => (await settingsOf(project)).agents,
    leadAgent,
    async leadAgentOrUsual(project, name) {
      try {
        return await leadAgent(project, name)
      } catch (error) {
        if (isDocketError(error) && error.code === "agent_not_found") return leadAgent(project)
        throw error
      }
    },
    defaultModelOf,
    checkModel: checkSetting,
    async setupOf({ projectID }) {
      const project = await projects.get(projectID)
      const settings = await settingsOf(project)
      const { config, ceilings, agents, provided } = settings
      const ceilingsOf = (agent: string) => [
        ...ceilings.map((ceiling) => ceilingRules(ceiling, agent, { home })),
        ...(agent === planAgent ? [planCeiling(config, { home })] : []),
      ]
      const [skills, model] = await Promise.all([definitions.skillsOf(settings), defaultModelOf(config, project.id)])
      return { project, config, provided, skills, agents, ceilingsOf, defaultModel: model }
    },
    timeZone: deps.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** What projects of repositories need on this host. */
function createRepositorySetup(
  { dataDirectory, env, clock }: RuntimeDeps,
  { vault, configs }: Pick<GroundServices, "vault"> & Pick<ProjectDefinitions, "configs">,
) {
  // Only the workspace's own file may open more than the public internet.
  const limits = async () => (await configs.of(null)).config.repositories ?? {}
  const credentials = createCredentials(vault)
  const mirrors = createMirrors({ root: join(dataDirectory, "repositories"), env, clock, credentials, limits })
  const checkouts = createProjectCheckouts({ root: join(dataDirectory, "worktrees"), env, mirrors })
  const find = (input: RepositoryInput, signal: AbortSignal) => findRepository({ mirrors, limits }, input, signal)
  return { credentials, mirrors, checkouts, find }
}

/** What extensions add to the agents of a project. Without any that does, no place is made. */
async function addedBy(
  hosts: readonly ExtensionHost[],
  placeOf: () => Promise<ExtensionPlace>,
): Promise<Pick<PluginAdditions, "agents" | "tools">> {
  if (hosts.length === 0) return { agents: [], tools: [] }
  const place = await placeOf()
  const found = await Promise.all(hosts.map((host) => host.agents?.(place) ?? null))
  const added = found.filter((one) => one !== null)
  return { agents: added.flatMap(({ agents }) => agents), tools: added.flatMap(({ tools }) => tools) }
}
