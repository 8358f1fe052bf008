import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { defaultAgent, findAgent, resolveAgents } from "./agent/resolve-agents.ts"
import { createConfigs } from "./config/configs.ts"
import { createAsyncTaskTools } from "./delegation/async-task-tools.ts"
import { createDelegate, type Delegate } from "./delegation/delegate.ts"
import { createRunTask } from "./delegation/run-task.ts"
import { settledLaunch } from "./delegation/settled-launch.ts"
import { createTaskService } from "./delegation/task-service.ts"
import { finishWorktree, restartTask } from "./delegation/task-steps.ts"
import { createTaskTool } from "./delegation/task-tool.ts"
import { createTasks, type Tasks } from "./delegation/tasks.ts"
import { createWorktrees } from "./delegation/worktrees.ts"
import { readFeed } from "./event/feed.ts"
import { createGlobalBus } from "./event/global-bus.ts"
import { createJournal } from "./event/journal.ts"
import type { CreateId } from "./id/create-id.ts"
import { createMemoryService } from "./memory/create-memory-service.ts"
import { createSessionMemory } from "./memory/session-memory.ts"
import { createPermissionDesk } from "./permission/desk.ts"
import { createProjectFiles } from "./project/project-files.ts"
import { createProjects } from "./project/projects.ts"
import { createPrompts, type Prompts } from "./prompt/prompts.ts"
import { turnReminder } from "./prompt/reminder.ts"
import { findInstructions } from "./prompt/system/find-instructions.ts"
import { systemPrompt } from "./prompt/system/system-prompt.ts"
import type { TurnContext } from "./prompt/turn-context.ts"
import { costOf } from "./provider/cost-of.ts"
import type { Providers } from "./provider/create-providers.ts"
import { retryDelay } from "./provider/retry-delay.ts"
import { errorHeaders, toMessageError } from "./provider/to-message-error.ts"
import type { Runtime, ScheduleService } from "./runtime-port.ts"
import { createScheduleTarget, type ScheduleTargetDeps } from "./schedule/schedule-target.ts"
import { createScheduler, type Scheduler } from "./schedule/scheduler.ts"
import type { Project, Task } from "./schema/index.ts"
import { abortTree, subtree } from "./session/abort-tree.ts"
import { createBackground } from "./session/background.ts"
import { createSessionNotes } from "./session/notes.ts"
import { recover } from "./session/recover.ts"
import { createTranscriptCache, runSessionTurn, type SessionTurnDeps } from "./session/run-session-turn.ts"
import { createSessions } from "./session/sessions.ts"
import { ServiceStopping } from "./session/stop-reason.ts"
import { createTurnQueue, type TurnQueue } from "./session/turn-queue.ts"
import { createShares } from "./share/shares.ts"
import type { Store } from "./store/index.ts"
import { createTodoService } from "./todo/create-todo-service.ts"
import { openTodosOf } from "./todo/open-todos-of.ts"
import { createBuiltinTools } from "./tool/builtin-tools.ts"
import { findRipgrep } from "./tool/ripgrep.ts"
import { createRunningCommands } from "./tool/running-commands.ts"
import type { Tool } from "./tool/tool.ts"
import { createWritRunners } from "./writ/create-writ-runners.ts"
import { createAgentWritRunner } from "./writ/run-agent-writ.ts"
import { createMemoryWritRunner } from "./writ/run-memory-writ.ts"
import { createScheduleWritRunner } from "./writ/run-schedule-writ.ts"
import { createTodoWritRunner } from "./writ/run-todo-writ.ts"
import type { WritRunner } from "./writ/writ-runner.ts"

/** Transcripts kept in memory between turns. */
const keptTranscripts = 8

export interface RuntimeDeps {
  store: Store
  providers: Providers
  createID: CreateId
  clock: () => number
  /** Random numbers in [0, 1), for the jitter of retries. */
  random: () => number
  /** Holds the full text of long tool outputs. */
  dataDirectory: string
  home: string
  env: Record<string, string | undefined>
  platform: string
  /** IANA name of the zone in which schedules are read; the host's when left out. */
  timeZone?: string
  /** Longest silence of a provider in ms. */
  providerTimeoutMs: number
  /** Hears of faults that no caller can be told of. */
  onError(error: unknown): void
}

/** What the core is made of, before anything runs. */
function createParts(deps: RuntimeDeps) {
  const { store, createID, clock } = deps
  const bus = createGlobalBus(deps.onError)
  const journal = createJournal({ store, bus })
  const base = { store, journal, bus, createID, clock }
  const outputRoot = join(deps.dataDirectory, "tool-output")
  const configs = createConfigs({ home: deps.home, env: deps.env, clock })
  const projects = createProjects({ ...base, store: store.project })
  const configOf = async (project: Project) => (await configs.of(project)).config
  const agentsOf = async (project: Project) =>
    resolveAgents(await configOf(project), { home: deps.home, externalDirectories: [outputRoot] })
  const sessions = createSessions({
    ...base,
    projectByID: projects.get,
    async leadAgent(project, name) {
      const agents = await agentsOf(project)
      if (name === undefined) return defaultAgent(agents, await configOf(project)).name
      return findAgent(
        agents.filter((agent) => !agent.hidden),
        name,
      ).name
    },
    async checkModel(ref, project) {
      await deps.providers.resolve(ref, await configOf(project))
    },
  })
  return {
    ...base,
    outputRoot,
    configs,
    projects,
    sessions,
    agentsOf,
    desk: createPermissionDesk({ ...base, store: store.permission }),
    files: createProjectFiles({ ripgrep: findRipgrep(), clock }),
    shares: createShares(base),
    notes: createSessionNotes(),
    worktrees: createWorktrees(join(deps.dataDirectory, "worktrees")),
    outputDirectory: createOutputDirectories(outputRoot),
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
      const config = await configOf(project)
      const defaultModel = await deps.providers.defaultModel(config)
      return { project, config, agents: await agentsOf(project), defaultModel }
    },
  }
}

type Parts = ReturnType<typeof createParts>

/** The directory for a session's long outputs, made on first use. */
function createOutputDirectories(root: string): (sessionID: string) => Promise<string> {
  const made = new Map<string, Promise<string>>()
  return (sessionID) => {
    const directory = join(root, sessionID)
    const known = made.get(sessionID)
    if (known !== undefined) return known
    const making = mkdir(directory, { recursive: true, mode: 0o700 }).then(() => directory)
    made.set(sessionID, making)
    making.catch(() => made.delete(sessionID))
    return making
  }
}

/** What is made after the loop, because it starts turns. */
interface Starters extends Delegation {
  schedule: ScheduleService
}

/** What a turn runs on. `starters` cuts the knot between the loop and what starts loops. */
function createLoop(deps: RuntimeDeps, parts: Parts, starters: () => Starters): SessionTurnDeps {
  const { todos, memory, sessions, commands, timeZone } = parts
  const ofSession = { memory, sessionByID: sessions.get }
  const agentWrits: WritRunner = (writ, context) =>
    createAgentWritRunner({ ...starters(), sessionByID: sessions.get, setupOf: parts.setupOf })(writ, context)
  const builtinTools = createBuiltinTools({
    clock: deps.clock,
    env: deps.env,
    onSpawn: commands.onSpawn,
    onExit: commands.onExit,
    todos,
    sessionMemory: (caller) => createSessionMemory(ofSession, caller),
  })
  return {
    ...parts,
    onError: deps.onError,
    providerTimeoutMs: deps.providerTimeoutMs,
    transcripts: createTranscriptCache(keptTranscripts),
    background: createBackground(),
    models: {
      resolve: deps.providers.resolve,
      smallModel: deps.providers.smallModel,
      costOf,
      toMessageError: (error, ref) => toMessageError(error, { providerID: ref.providerID }),
      retryDelay: (attempt, error) =>
        retryDelay(attempt, { headers: errorHeaders(error), random: deps.random, now: deps.clock }),
    },
    tools: (turn) => [...builtinTools, ...delegationTools(parts, starters(), turn)],
    recordStep: (session, used) => starters().tasks.recordStep(session, used),
    limitOf: (session) => starters().tasks.limitOf(session),
    turnEnded: (sessionID) => starters().tasks.turnEnded(sessionID),
    systemPrompt: (turn) => turnSystemPrompt(deps, turn),
    reminder: turnReminder,
    writs: createWritRunners({
      todo: createTodoWritRunner(parts),
      mem: createMemoryWritRunner(ofSession),
      agent: agentWrits,
      parallel: agentWrits,
      schedule: (writ, context) =>
        createScheduleWritRunner({ ...ofSession, schedule: starters().schedule, timeZone })(writ, context),
    }),
  }
}

interface Delegation {
  tasks: Tasks
  delegate: Delegate
}

function delegationTools(parts: Parts, { tasks, delegate }: Delegation, turn: TurnContext): Tool[] {
  const runTask = createRunTask({ ...parts, tasks, delegate }, turn)
  const launchSettled = (task: Task) => settledLaunch({ bus: parts.bus, tasks, projectID: turn.project.id }, task)
  return [
    createTaskTool({ agents: turn.agents, runTask }),
    ...createAsyncTaskTools({ tasks, delegate, launchSettled }, turn),
  ]
}

/** Tasks over the queue of turns. */
function createDelegation(
  deps: RuntimeDeps,
  parts: Parts,
  run: { queue: TurnQueue; prompts: Prompts; abort: Abort },
): Delegation {
  const { store, sessions, worktrees } = parts
  const tasks = createTasks({
    ...parts,
    submit: (session, promptParts, { agent, model, mutations }) =>
      run.prompts.enqueue(session, { parts: promptParts, agent, ...(model !== null && { model }) }, mutations),
    wait: (turnID) => run.prompts.wait(turnID),
    stop: run.abort,
    isRunning: run.queue.isRunning,
    finishWorktree: (task) => finishWorktree(worktrees, task),
    onError: deps.onError,
  })
  const delegate = createDelegate({
    ...parts,
    tasks,
    models: deps.providers,
    openTodos: (sessionID) => openTodosOf(store.todo, sessionID),
    memoryLines: async (sessionID) => parts.memory.pipeline(await sessions.get(sessionID)),
    async originalRequest(rootID) {
      const first = await store.transcript.page({ sessionID: rootID, limit: 1, after: "" })
      const text = first.items[0]?.parts.find((part) => part.type === "text" && !part.synthetic)
      return text?.type === "text" ? text.text : ((await sessions.get(rootID)).title ?? null)
    },
  })
  return { tasks, delegate }
}

type Abort = (sessionID: string) => Promise<void>

function createRuntimeScheduler(deps: RuntimeDeps, parts: Parts, prompts: Prompts): Scheduler {
  const checkModel: ScheduleTargetDeps["checkModel"] = (ref, config) => deps.providers.resolve(ref, config)
  return createScheduler({
    ...parts,
    store: parts.store.schedule,
    target: createScheduleTarget({ ...parts, prompts, checkModel }),
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
    onError: deps.onError,
  })
}

async function turnSystemPrompt(deps: RuntimeDeps, turn: TurnContext): Promise<string[]> {
  const { session, project, config, userMessage } = turn
  const { directory } = session
  const { worktree, git } = project
  const patterns = config.instructions ?? []
  return systemPrompt({
    agent: turn.agent,
    model: turn.model,
    directory,
    worktree,
    git,
    platform: deps.platform,
    date: new Date(deps.clock()),
    userSystem: userMessage.system,
    instructions: await findInstructions({ directory, worktree, home: deps.home, patterns }),
  })
}

/**
 * Wires every part of the core, puts right what a crash left behind and goes on with interrupted turns.
 * This is the one file that knows all parts; front ends see only `Runtime`.
 */
export async function createRuntime(deps: RuntimeDeps): Promise<Runtime> {
  const parts = createParts(deps)
  const { store, journal, sessions, desk, worktrees } = parts
  const loop = createLoop(deps, parts, () => ({ ...delegation, schedule: scheduler }))
  const queue = createTurnQueue({ run: (turn, signal) => runSessionTurn(loop, turn, signal), onError: deps.onError })
  const prompts = createPrompts({
    ...parts,
    queue,
    sessionByID: sessions.get,
    checkModel: (ref, config) => deps.providers.resolve(ref, config),
  })
  const abort = async (sessionID: string) => {
    const session = await sessions.get(sessionID)
    await abortTree({ ...parts, queue, stopTasks: delegation.tasks.stopUnder }, session)
    const members = subtree(await store.session.tree(session.rootID), sessionID)
    const ids = members.map((member) => member.id)
    await delegation.tasks.ended(ids)
    await parts.commands.endBackground(ids)
  }
  const delegation = createDelegation(deps, parts, { queue, prompts, abort })
  const { tasks, delegate } = delegation
  const scheduler = createRuntimeScheduler(deps, parts, prompts)

  await parts.commands.reap()
  await desk.expireAll()
  const turns = await recover(parts)
  await tasks.recover()
  for (const turn of turns) queue.add(turn)
  await worktrees.sweep((await store.task.withWorktree()).flatMap((task) => task.worktree ?? []))
  await scheduler.start()

  return {
    ...readAndSettings(deps, parts),
    session: {
      ...sessions,
      async remove(id) {
        const session = await sessions.get(id)
        await abort(id)
        await journal.commit(session.rootID, [{ kind: "session.remove", sessionID: id }])
        loop.transcripts.delete(id)
      },
    },
    prompt: prompts,
    abort,
    task: createTaskService({
      ...parts,
      tasks,
      sessionByID: sessions.get,
      projectOf: async (session) => parts.projects.get(session.projectID),
      restart: (task, parent) => restartTask(parts, delegate, task, parent),
    }),
    permission: { pending: (rootID) => store.permission.pending(rootID), reply: desk.reply },
    feed: (query, signal) => readFeed({ store: store.feed, bus: parts.bus }, query, signal),
    schedule: scheduler,
    async close() {
      await scheduler.stop()
      await queue.close(new ServiceStopping())
      await loop.background.done()
      await journal.flush()
    },
  }
}

/** The use cases that touch no running turn. */
function readAndSettings(deps: RuntimeDeps, parts: Parts) {
  const { projects, configs, todos, sessions, shares } = parts
  const { providers } = deps
  const configReport = async (projectID: string | undefined) =>
    configs.of(projectID === undefined ? null : await projects.get(projectID))
  return {
    project: {
      open: projects.open,
      list: projects.list,
      get: projects.get,
      directories: projects.directories,
      files: async (id, query, limit) => parts.files.search((await projects.get(id)).directory, query, limit),
    },
    todo: todos,
    memory: parts.memory,
    agent: { list: async (projectID) => parts.agentsOf(await projects.get(projectID)) },
    provider: {
      list: async (projectID) => providers.list((await configReport(projectID)).config),
      defaultModel: async (projectID) => providers.defaultModel((await configReport(projectID)).config),
      saveKey: providers.saveKey,
      removeKey: providers.removeKey,
      refresh: providers.refresh,
    },
    config: { get: configReport },
    share: {
      create: async (rootID) => shares.create(await sessions.get(rootID)),
      list: async (rootID) => shares.list((await sessions.get(rootID)).rootID),
      revoke: shares.revoke,
      resolve: shares.resolve,
    },
  } satisfies Partial<Runtime>
}
