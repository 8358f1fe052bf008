import { type Command, createCommands } from "../../engine/command/find-commands.ts"
import { createToolFiles, type ToolFiles } from "../../engine/custom-tools/find-tool-files.ts"
import { createToolProblems, type ToolProblems } from "../../engine/custom-tools/tool-problems.ts"
import { createPluginFiles } from "../../engine/module-file/find-plugin-files.ts"
import { mayReplace } from "../../engine/module-file/tool-name.ts"
import { createGuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import type { DirectoryLimits } from "../../ground/file/directory-limits.ts"
import type { Agent, PluginAdditions, Project } from "../../ground/schema/index.ts"
import { type AddedAgents, addAgents } from "../../setup/agent/added-agents.ts"
import { resolveAgents } from "../../setup/agent/resolve-agents.ts"
import type { ConfigProblem } from "../../setup/config/config-report.ts"
import { type LoadedConfig, projectEnv } from "../../setup/config/loaded-config.ts"
import { seeProject } from "../../setup/config/seen-project.ts"
import { createInstructions, type Instructions, type ProvidedFiles } from "../../setup/instruction/instructions.ts"
import { findMcpFiles, mcpFileNames } from "../../setup/mcp/mcp-files.ts"
import { mcpServersOf } from "../../setup/mcp/mcp-servers-of.ts"
import type { Skill } from "../../setup/skill/list-skills.ts"
import { createSkills } from "../../setup/skill/skills.ts"
import { type Configs, type ConfigsDeps, createConfigs } from "../../setup/trust/configs.ts"
import { type TextsInForce, textsInForce } from "../../setup/trust/texts-in-force.ts"

/** What a project and its user define, as far as it counts: configuration, agents, commands, instructions, skills. */
export interface ProjectDefinitions {
  configs: Configs
  toolFiles: ToolFiles
  toolProblems: ToolProblems
  /** What is wrong with the files that define tools: those that cannot be read, and those that failed when asked. */
  toolFileProblems(project: Project): Promise<ConfigProblem[]>
  instructions: Instructions
  /** Config and agents of one reading: agents of one state under the ceilings of another could exceed both. */
  settingsOf(project: Project): Promise<ProjectSettings>
  commandsOf(project: Project): Promise<readonly Command[]>
  skillsOf(settings: Pick<ProjectSettings, "provided">): Promise<Skill[]>
  textsOf(project: Project): Promise<TextsInForce>
  /** The configuration, and everything that is wrong with it and with what is defined. Null: the user's own. */
  reportOf(project: Project | null): Promise<LoadedConfig>
}

interface ProjectSettings extends Pick<LoadedConfig, "config" | "ceilings"> {
  agents: Agent[]
  /** What plugins set of them. */
  added: Pick<AddedAgents, "sources" | "problems">
  provided: ProvidedFiles
}

export function createProjectDefinitions(
  deps: Omit<ConfigsDeps, "finders" | "toolFileNames"> & {
    limits(): DirectoryLimits
    outputRoot: string
    /** What extensions add to the agents of a project. */
    addedAgents(project: Project): Promise<Pick<PluginAdditions, "agents" | "tools">>
  },
): ProjectDefinitions {
  const { home, env, limits } = deps
  const fetch = createGuardedFetch()
  const instructions = createInstructions({ home, env, limits, fetch, now: () => performance.now() })
  const commands = createCommands({ home, env })
  const skills = createSkills({ home, env })
  const toolFiles = createToolFiles({ home, env })
  const pluginFiles = createPluginFiles({ home, env })
  const toolProblems = createToolProblems()
  const configs = createConfigs({
    ...deps,
    toolFileNames: async (project, userGlance) =>
      (await Promise.all([toolFiles.names(project, userGlance), mcpFileNames(project)])).flat(),
    finders: [
      ...[instructions, commands, skills, toolFiles, pluginFiles].map(({ findProvided }) => findProvided),
      findMcpFiles,
      deps.programs.findHooks,
    ],
  })
  // A reading serves for a moment, in which a turn asks for its agents and skills several times.
  const agentsOfReading = new WeakMap<LoadedConfig, Pick<ProjectSettings, "agents" | "added" | "ceilings">>()
  const skillsOfReading = new WeakMap<ProvidedFiles["files"], ReturnType<typeof skills.inForce>>()
  const instructionsOf = ({ directory, worktree }: Project, { config, provided: files }: LoadedConfig) => {
    const patterns = config.instructions ?? []
    return instructions.inForce({ directory, worktree, patterns, provided: { top: worktree, files } }, { wait: false })
  }
  const agentsIn = async (project: Project, reading: LoadedConfig) => {
    const { config, provided } = reading
    const additions = await deps.addedAgents(project)
    // Without additions the user's own files are not read once more.
    const own = additions.agents.length === 0 ? reading : await configs.of(null)
    const added = addAgents({ config, own: own.config }, additions)
    const agents = resolveAgents(added.config, {
      ...{ home, externalDirectories: [deps.outputRoot], closures: [...reading.closures, ...added.closures] },
      toolFiles: [
        ...(await toolFiles.own()).files,
        ...provided.filter(({ kind, trusted }) => kind === "tool" && trusted),
      ].flatMap(({ name }) => (mayReplace(name) ? [] : [name])),
      mcpServers: mcpServersOf(reading, projectEnv(deps)),
    })
    return { agents, added, ceilings: [...reading.ceilings, ...added.ceilings] }
  }
  const settingsOf = async (project: Project): Promise<ProjectSettings> => {
    const reading = await configs.of(project)
    const { config, provided } = reading
    // Not one promise for all: a plugin that asks while it is loaded would wait for itself.
    const known = agentsOfReading.get(reading) ?? (await agentsIn(project, reading))
    agentsOfReading.set(reading, known)
    return { config, ...known, provided: { top: project.worktree, files: provided } }
  }
  return {
    configs,
    toolFiles,
    toolProblems,
    async toolFileProblems(project) {
      const place = { ...(await seeProject(project)), home, named: async () => [] }
      const read = await Promise.all([toolFiles.own(), toolFiles.findProvided(place)])
      return [...read.flatMap(({ problems }) => problems), ...toolProblems.of(project.id)]
    },
    instructions,
    settingsOf,
    commandsOf: async (project) => (await commands.inForce(await configs.of(project))).commands,
    async skillsOf({ provided: { files } }) {
      const reading = skillsOfReading.get(files) ?? skills.inForce(files)
      skillsOfReading.set(files, reading)
      return (await reading).skills
    },
    async textsOf(project) {
      const loaded = await configs.of(project)
      return textsInForce(...(await Promise.all([instructionsOf(project, loaded), skills.inForce(loaded.provided)])))
    },
    async reportOf(project) {
      const loaded = await configs.of(project)
      const defined = await Promise.all([
        toolFiles.own(),
        ...(project === null ? [] : [commands.inForce(loaded), instructionsOf(project, loaded)]),
        skills.inForce(loaded.provided),
      ])
      const asked =
        project === null ? [] : [...toolProblems.of(project.id), ...(await settingsOf(project)).added.problems]
      return { ...loaded, problems: [...loaded.problems, ...defined.flatMap(({ problems }) => problems), ...asked] }
    },
  }
}
