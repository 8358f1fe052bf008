import { findRipgrep } from "../../acts/tool/ripgrep.ts"
import { type AgentFiles, createAgentFiles } from "../../engine/agent-file/create-agent-files.ts"
import { createBringCommands, ownCommandFiles } from "../../engine/command/bring-commands.ts"
import { findCommands } from "../../engine/command/find-commands.ts"
import { chooseModel } from "../../engine/loop/choose-model.ts"
import type { TurnSetup } from "../../engine/turn/start-turn.ts"
import { createGuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import type { Agent, Project } from "../../ground/schema/index.ts"
import type { ModelSetting } from "../../records/session/sessions.ts"
import { ceilingRules } from "../../setup/agent/ceiling-rules.ts"
import { planCeiling } from "../../setup/agent/plan-ceiling.ts"
import { planAgent } from "../../setup/agent/plan-limits.ts"
import { defaultAgent, findAgent, resolveAgents } from "../../setup/agent/resolve-agents.ts"
import type { LoadedConfig } from "../../setup/config/loaded-config.ts"
import type { Config } from "../../setup/config/schema.ts"
import { createInstructions, type Instructions } from "../../setup/instruction/instructions.ts"
import { createProjectFiles, type ProjectFiles } from "../../setup/project/project-files.ts"
import { createProjects, type Projects } from "../../setup/project/projects.ts"
import { checkModel } from "../../setup/provider/check-model.ts"
import { defaultModel } from "../../setup/provider/default-model.ts"
import { createSkills, type Skills } from "../../setup/skill/skills.ts"
import { type Configs, createConfigs } from "../../setup/trust/configs.ts"
import { createProjectTrusts, type ProjectTrusts } from "../../setup/trust/project-trusts.ts"
import { type RuntimeWorkspace, unsetWorkspace } from "../../setup/workspace/runtime-workspace.ts"
import type { RuntimeDeps } from "../runtime-deps.ts"
import { outputRootOf } from "./acts-services.ts"
import type { GroundServices } from "./ground-services.ts"

/** What is set for people and projects: configuration, agents, commands, instructions, skills. */
export interface SetupServices {
  workspace: RuntimeWorkspace
  projects: Projects
  files: ProjectFiles
  configs: Configs
  projectTrusts: ProjectTrusts
  instructions: Instructions
  skills: Skills
  agentFiles: AgentFiles
  agentsOf(project: Project): Promise<Agent[]>
  /** The agent of that name, or the default one. @throws when it is missing or leads no session */
  leadAgent(project: Project, name?: string): Promise<string>
  /** The commands of a project, and what is wrong with those that are left out. */
  commandsOf(project: Project): ReturnType<typeof findCommands>
  defaultModelOf(config: Config, projectID?: string): ReturnType<typeof defaultModel>
  /** @throws provider_not_found, model_not_found, no_model_available; variant_not_found for the model that would run */
  checkModel(wanted: ModelSetting, project: Project): Promise<void>
  /** What a turn of a session in the project begins with. */
  setupOf(session: { projectID: string }): Promise<TurnSetup>
  timeZone: string
}

export function createSetupServices(deps: RuntimeDeps, ground: GroundServices): SetupServices {
  const { home, env, providers } = deps
  const { store, createID, clock, bus } = ground
  const { workspace = unsetWorkspace } = deps
  const { limits } = workspace
  const instructions = createInstructions({
    ...{ home, env, limits },
    fetch: createGuardedFetch(),
    now: () => performance.now(),
  })
  const skills = createSkills({ home, env })
  const configs = createConfigs({
    ...{ home, env, clock },
    ...(deps.commandLine && { commandLine: deps.commandLine }),
    store: store.trust,
    bring: [instructions.bring, createBringCommands({ env }), skills.bring],
    isShared: workspace.isShared,
  })
  const projects = createProjects({ createID, clock, store: store.project, env, home, limits })
  const projectTrusts = createProjectTrusts({ bus, clock, store: store.trust, configs, projects })
  // A reading serves for a moment, in which a turn asks for its agents several times.
  const agentsOfReading = new WeakMap<LoadedConfig, Agent[]>()
  /** A project's config and agents of one reading: agents of one state under the ceilings of another could exceed both. */
  const settingsOf = async (project: Project) => {
    const reading = await configs.of(project)
    const { config, ceilings, closures, brought } = reading
    const agents =
      agentsOfReading.get(reading) ??
      resolveAgents(config, { home: home, externalDirectories: [outputRootOf(deps)], closures })
    agentsOfReading.set(reading, agents)
    return { config, ceilings, agents, brought: { top: project.worktree, files: brought } }
  }
  /** The commands of a project, and what is wrong with those that are left out. */
  const commandsOf = async (project: Project) => {
    const [own, { sources, brought }, ownCommands] = await Promise.all([
      configs.of(null),
      configs.of(project),
      ownCommandFiles(deps),
    ])
    const ownFiles = new Set(own.sources.map(({ file }) => file))
    const trusted = brought.filter((file) => file.kind === "command" && file.trusted)
    const { commands, problems } = await findCommands({
      config: sources.map((source) => ({ ...source, origin: ownFiles.has(source.file) ? "user" : "project" })),
      files: [
        ...ownCommands.files.map((file) => ({ ...file, origin: "user" as const })),
        ...trusted.map((file) => ({ ...file, origin: "project" as const })),
      ],
    })
    return { commands, problems: [...ownCommands.problems, ...problems] }
  }
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
    ...{ workspace, projects, configs, projectTrusts, instructions, skills },
    files: createProjectFiles({ ripgrep: findRipgrep(), clock }),
    agentFiles: createAgentFiles({
      ...{ home, env },
      projectByID: projects.get,
      configOf: configs.of,
      agentsOf: async (project) => (await settingsOf(project)).agents,
      checkModel: (config, model) => checkModel(providers, config, { model }),
      makeChange: projectTrusts.makeOwnChange,
    }),
    agentsOf: async (project) => (await settingsOf(project)).agents,
    leadAgent,
    commandsOf,
    defaultModelOf,
    checkModel: checkSetting,
    async setupOf({ projectID }) {
      const project = await projects.get(projectID)
      const { config, ceilings, agents, brought } = await settingsOf(project)
      const ceilingsOf = (agent: string) => [
        ...ceilings.map((ceiling) => ceilingRules(ceiling, agent, { home })),
        ...(agent === planAgent ? [planCeiling(config, { home })] : []),
      ]
      const [inForce, model] = await Promise.all([skills.inForce(brought.files), defaultModelOf(config, project.id)])
      return { project, config, brought, skills: inForce.skills, agents, ceilingsOf, defaultModel: model }
    },
    timeZone: deps.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}
