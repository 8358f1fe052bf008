import { join } from "node:path"
import type { Bounds } from "../acts/bound/bounds.ts"
import { createPermissionBroker } from "../acts/permission/permission-broker.ts"
import type { Sandbox } from "../acts/sandbox/sandbox.ts"
import type { MachineOf } from "../acts/tool/machine.ts"
import { findRipgrep } from "../acts/tool/ripgrep.ts"
import { createRunningCommands } from "../acts/tool/running-commands.ts"
import { createSavedOutputs } from "../acts/tool/saved-outputs.ts"
import { createAgentFiles } from "../engine/agent-file/create-agent-files.ts"
import { createBringCommands, ownCommandFiles } from "../engine/command/bring-commands.ts"
import { findCommands } from "../engine/command/find-commands.ts"
import { createWorktrees } from "../engine/delegation/worktrees.ts"
import { chooseModel } from "../engine/loop/choose-model.ts"
import { combineHooks, type Plug } from "../engine/loop/hooks.ts"
import { createSessionNotes } from "../engine/loop/session-notes.ts"
import type { ToolSource } from "../engine/loop/tool-source.ts"
import { createTranscriptCache } from "../engine/loop/transcript-cache.ts"
import { createSnapshots } from "../engine/snapshot/create-snapshots.ts"
import { createFileWindows } from "../engine/snapshot/file-windows.ts"
import { createLeases } from "../engine/turn/leases.ts"
import { createBus } from "../ground/event/bus.ts"
import { createEndings, type StoreAway } from "../ground/event/endings.ts"
import { createFollower, noFollower } from "../ground/event/follow-trees.ts"
import { createJournal } from "../ground/event/journal.ts"
import { createListRows } from "../ground/event/list-rows.ts"
import { createGuardedFetch } from "../ground/fetch/guarded-fetch.ts"
import type { CreateId } from "../ground/id/create-id.ts"
import { homeOwner } from "../ground/redact/index.ts"
import type { Agent, Project } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"
import { disabledWebhookEntry } from "../records/audit/disabled-webhook-entry.ts"
import { createMemoryService } from "../records/memory/create-memory-service.ts"
import { createPresence } from "../records/presence/create-presence.ts"
import { createFileDigest } from "../records/review/file-digest.ts"
import { createTaskRows } from "../records/review/task-rows.ts"
import { createSearchIndex } from "../records/search/search-index.ts"
import { createPendingMarks } from "../records/session/pending-marks.ts"
import { createSessions } from "../records/session/sessions.ts"
import { shareSecrets } from "../records/share/share-secrets.ts"
import { createShares } from "../records/share/shares.ts"
import { createTodoService } from "../records/todo/create-todo-service.ts"
import { createWebhooks } from "../records/webhook/create-webhooks.ts"
import { redactTitle } from "../records/webhook/redact-title.ts"
import { createWebhookSecrets } from "../records/webhook/webhook-secrets.ts"
import { ceilingRules } from "../setup/agent/ceiling-rules.ts"
import { planCeiling } from "../setup/agent/plan-ceiling.ts"
import { planAgent } from "../setup/agent/plan-limits.ts"
import { defaultAgent, findAgent, resolveAgents } from "../setup/agent/resolve-agents.ts"
import { userDefinitionDirectories } from "../setup/config/definition-places.ts"
import type { LoadedConfig } from "../setup/config/loaded-config.ts"
import type { OverrideInput } from "../setup/config/read-overrides.ts"
import type { Config } from "../setup/config/schema.ts"
import { opencodeUserDirectory, userConfigDirectory } from "../setup/config/user-directory.ts"
import { createInstructions } from "../setup/instruction/instructions.ts"
import { createProjectFiles } from "../setup/project/project-files.ts"
import { createProjects } from "../setup/project/projects.ts"
import { checkModel } from "../setup/provider/check-model.ts"
import type { Providers } from "../setup/provider/create-providers.ts"
import { defaultModel } from "../setup/provider/default-model.ts"
import { createSkills } from "../setup/skill/skills.ts"
import { createConfigs } from "../setup/trust/configs.ts"
import { createProjectTrusts } from "../setup/trust/project-trusts.ts"
import { type RuntimeWorkspace, unsetWorkspace } from "../setup/workspace/runtime-workspace.ts"
import { createLifeSign } from "./life-sign.ts"

/** How a runtime shares its store with others. */
export interface SharedStore {
  /** Names this runtime, also after a restart; no other has the name. */
  runner: string
  /** How often it reads what others stored in trees that it shows or works in (ms). */
  pollMs: number
  /** How long its turns stay its own when it no longer renews them (ms); 30 s when left out. */
  leaseMs?: number
}

export interface RuntimeDeps extends OverrideInput {
  store: Store
  providers: Providers
  createID: CreateId
  clock: () => number
  /** Random numbers in [0, 1), for the jitter of retries. */
  random: () => number
  /** Holds the full text of long tool outputs. */
  dataDirectory: string
  platform: string
  /** IANA name of the zone in which schedules are read; the host's when left out. */
  timeZone?: string
  /** Longest silence of a provider in ms. */
  providerTimeoutMs: number
  /** The service's own data, of all workspaces, which no agent changes; `dataDirectory` when left out. */
  serviceDirectory?: string
  /** What is set of the workspace; left out, nothing is and nothing can be. */
  workspace?: RuntimeWorkspace
  /** Whether somebody still belongs to the workspace; left out, nobody is ever removed. */
  isMember?(person: string): Promise<boolean>
  /** Holds the programs that sessions start; left out, these run as they are. */
  sandbox?: Sandbox
  /** Holds these programs to what they may use; left out, nothing does. */
  bounds?: Bounds
  /** Calls `onLost` with the reason when there is no store to wait for: everything that runs is stopped at once. */
  watchStore?(onLost: (reason: string) => void): void
  /** Whether what is asked of the store waits; left out, it never does. */
  storeAway?: StoreAway
  /** Set when other runtimes work on the same store; left out, it is this one's alone. */
  shared?: SharedStore
  /** What extensions see and change of turns, in their order. */
  plugs?: readonly Plug[]
  /** Where turns find tools besides Docket's own. */
  toolSources?: readonly ToolSource[]
  /** Where the tools of a session work; left out, on the machine of this process. */
  machineOf?: MachineOf
  /** Hears of faults that no caller can be told of. */
  onError(error: unknown): void
}

/** A list shows no more changes a second than a person takes in. */
const listPauseMs = 300
/** Transcripts kept in memory between turns. */
const keptTranscripts = 8

/** What the core is made of, before anything runs. */
export function createServices(deps: RuntimeDeps) {
  const { store, createID, clock } = deps
  const bus = createBus(deps.onError)
  const follower =
    deps.shared === undefined
      ? noFollower
      : createFollower({ ...deps.shared, store: store.feed, bus, onError: deps.onError })
  const journal = createJournal({ store, bus, onStored: follower.stored })
  const rowsDeps = { bus, pauseMs: listPauseMs, onError: deps.onError }
  const listRows = createListRows({ ...rowsDeps, store: store.session })
  const taskRows = createTaskRows({ ...rowsDeps, store })
  const endings = createEndings({ bus, away: deps.storeAway, onError: deps.onError })
  const base = { store, journal, bus, endings, createID, clock }
  const outputRoot = join(deps.dataDirectory, "tool-output")
  const savedOutputs = createSavedOutputs({ root: outputRoot, clock, onError: deps.onError })
  const workspace = deps.workspace ?? unsetWorkspace
  const { limits } = workspace
  const now = () => performance.now()
  const instructions = createInstructions({ ...deps, fetch: createGuardedFetch(), now, limits })
  const skills = createSkills(deps)
  const bring = [instructions.bring, createBringCommands(deps), skills.bring]
  const configs = createConfigs({ ...deps, store: store.trust, bring, isShared: workspace.isShared })
  const { home, env } = deps
  const projects = createProjects({ ...base, store: store.project, env, home, limits })
  // A reading serves for a moment, in which a turn asks for its agents several times.
  const agentsOfReading = new WeakMap<LoadedConfig, Agent[]>()
  /** A project's config and agents of one reading: agents of one state under the ceilings of another could exceed both. */
  const settingsOf = async (project: Project) => {
    const reading = await configs.of(project)
    const { config, ceilings, closures, brought } = reading
    const agents =
      agentsOfReading.get(reading) ??
      resolveAgents(config, { home: deps.home, externalDirectories: [outputRoot], closures })
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
    defaultModel({ providers: deps.providers, sessions: store.session }, config, projectID)
  const leadAgent = async (project: Project, name?: string) => {
    const { config, agents } = await settingsOf(project)
    if (name === undefined) return defaultAgent(agents, config).name
    return findAgent(
      agents.filter((agent) => !agent.hidden || agent.problem !== null),
      name,
    ).name
  }
  const secretsOf = async (rootID: string) => {
    const { projectID, directory } = await sessions.get(rootID)
    const project = await projects.get(projectID)
    const { config } = await configs.of(project)
    const providerKeys = () => deps.providers.secretKeys(config)
    const patterns = Object.entries(config.redact ?? {}).map(([name, pattern]) => ({ name, pattern }))
    return { known: await shareSecrets({ env: deps.env, providerKeys }, [directory, project.worktree]), patterns }
  }
  const owner = homeOwner(deps.home)
  const sessions = createSessions({
    ...base,
    projectByID: projects.get,
    leadAgent,
    usualVisibility: () => workspace.get().visibility,
    async checkModel(wanted, project) {
      const { config, agents } = await settingsOf(project)
      if (wanted.model !== null) await checkModel(deps.providers, config, { model: wanted.model })
      if (!wanted.variant) return
      const agent = findAgent(agents, wanted.agent)
      const model = chooseModel({ input: {}, agent, session: wanted }, await deps.providers.defaultModel(config))
      await checkModel(deps.providers, config, { model, variant: wanted.variant })
    },
  })
  /** What a scan of a tree looks for. */
  const scanSourcesOf = async (rootID: string) => ({ owner, ...(await secretsOf(rootID)) })
  const webhooks = createWebhooks({
    ...deps,
    store,
    bus,
    secrets: createWebhookSecrets(join(deps.dataDirectory, "webhook-secrets")),
    workspaceID: () => workspace.get().id,
    async policy() {
      const { allow = [], http = false } = (await configs.of(null)).config.webhooks ?? {}
      return { allow, http }
    },
    async redact(rootID, title) {
      // Its project may be gone: what looks secret by itself goes all the same.
      const sources = await scanSourcesOf(rootID).catch(() => ({ owner, known: [], patterns: [] }))
      return redactTitle(sources, title)
    },
    async onDisabled(webhook) {
      // Alone, nobody keeps a log; the page of webhooks says it all the same.
      if (workspace.isShared) await store.audit.add([disabledWebhookEntry(deps.createID, webhook)]).catch(deps.onError)
    },
  })
  const projectTrusts = createProjectTrusts({ ...base, store: store.trust, configs, projects })
  const presence = createPresence({ bus, sessionByID: sessions.get })
  return {
    ...base,
    workspace,
    presence,
    listRows,
    taskRows,
    outputRoot,
    planRoot: join(deps.dataDirectory, "plans"),
    configs,
    instructions,
    skills,
    projectTrusts,
    agentFiles: createAgentFiles({
      ...deps,
      projectByID: projects.get,
      configOf: configs.of,
      agentsOf: async (project) => (await settingsOf(project)).agents,
      checkModel: (config, model) => checkModel(deps.providers, config, { model }),
      makeChange: projectTrusts.makeOwnChange,
    }),
    projects,
    sessions,
    leadAgent,
    scanSourcesOf,
    webhooks,
    commandsOf,
    agentsOf: async (project: Project) => (await settingsOf(project)).agents,
    defaultModelOf,
    broker: createPermissionBroker({
      ...base,
      store: store.permission,
      standing: store.standingGrant,
      sessions: store.session,
      write: store.write,
      isShared: deps.shared !== undefined,
      decide: combineHooks(deps.plugs ?? []).permission,
    }),
    files: createProjectFiles({ ripgrep: findRipgrep(), clock }),
    shares: createShares({
      ...base,
      follower,
      onReader: presence.read,
      onError: deps.onError,
      owner,
      mayShare: async ({ projectID }) => (await configs.of(await projects.get(projectID))).config.share !== "disabled",
      async frameOf(rootID) {
        const { projectID } = await sessions.get(rootID)
        const { config } = await configs.of(await projects.get(projectID))
        return { author: config.share_author ?? null, embedSites: config.share_embed_sites ?? [] }
      },
      secretsOf,
    }),
    lifeSign: createLifeSign({ file: join(deps.dataDirectory, "last-sign"), clock: deps.clock }),
    stopMarks: createPendingMarks(join(deps.dataDirectory, "stopped-turns")),
    follower,
    isShared: deps.shared !== undefined,
    leases: createLeases(deps),
    notes: createSessionNotes({ ...base, isShared: deps.shared !== undefined }),
    transcripts: createTranscriptCache(keptTranscripts),
    worktrees: createWorktrees({ root: join(deps.dataDirectory, "worktrees"), env: deps.env }),
    snapshots: createSnapshots({ ...deps, root: join(deps.dataDirectory, "snapshots") }),
    fileWindows: createFileWindows(),
    fileDigest: createFileDigest(),
    searchIndex: createSearchIndex({ store: store.search, bus, onError: deps.onError }),
    savedOutputs,
    outputDirectory: savedOutputs.directoryOf,
    ownDirectories: [
      { path: deps.serviceDirectory ?? deps.dataDirectory, except: join(deps.dataDirectory, "worktrees") },
      { path: userConfigDirectory(deps) },
      { path: opencodeUserDirectory(deps) },
      // What counts without anyone's trust is no agent's to write.
      ...userDefinitionDirectories(deps).map((path) => ({ path })),
    ],
    todos: createTodoService(base),
    memory: createMemoryService({
      ...base,
      store: store.memory,
      sessionByID: sessions.get,
      projectByID: projects.get,
    }),
    timeZone: deps.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    commands: createRunningCommands(join(deps.dataDirectory, "running-commands")),
    async setupOf(session: { projectID: string }) {
      const project = await projects.get(session.projectID)
      const { config, ceilings, agents, brought } = await settingsOf(project)
      const ceilingsOf = (agent: string) => [
        ...ceilings.map((ceiling) => ceilingRules(ceiling, agent, { home })),
        ...(agent === planAgent ? [planCeiling(config, { home })] : []),
      ]
      const [inForce, model] = await Promise.all([skills.inForce(brought.files), defaultModelOf(config, project.id)])
      return { project, config, brought, skills: inForce.skills, agents, ceilingsOf, defaultModel: model }
    },
  }
}

export type Services = ReturnType<typeof createServices>
