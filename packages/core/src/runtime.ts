import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { defaultAgent, findAgent, resolveAgents } from "./agent/resolve-agents.ts"
import { createConfigs } from "./config/configs.ts"
import { createRunChild } from "./delegation/run-child.ts"
import { createTaskTool } from "./delegation/task-tool.ts"
import { readFeed } from "./event/feed.ts"
import { createGlobalBus } from "./event/global-bus.ts"
import { createJournal } from "./event/journal.ts"
import type { CreateId } from "./id/create-id.ts"
import { createPermissionDesk } from "./permission/desk.ts"
import { createProjectFiles } from "./project/project-files.ts"
import { createProjects } from "./project/projects.ts"
import { createPrompts } from "./prompt/prompts.ts"
import { turnReminder } from "./prompt/reminder.ts"
import { findInstructions } from "./prompt/system/find-instructions.ts"
import { systemPrompt } from "./prompt/system/system-prompt.ts"
import type { TurnContext } from "./prompt/turn-context.ts"
import { costOf } from "./provider/cost-of.ts"
import type { Providers } from "./provider/create-providers.ts"
import { retryDelay } from "./provider/retry-delay.ts"
import { errorHeaders, toMessageError } from "./provider/to-message-error.ts"
import type { Runtime } from "./runtime-port.ts"
import type { Project } from "./schema/index.ts"
import { abortTree } from "./session/abort-tree.ts"
import { recover } from "./session/recover.ts"
import { createTranscriptCache, runSessionTurn, type SessionTurnDeps } from "./session/run-session-turn.ts"
import { createSessions } from "./session/sessions.ts"
import { ServiceStopping } from "./session/stop-reason.ts"
import { createTurnQueue } from "./session/turn-queue.ts"
import { createShares } from "./share/shares.ts"
import type { Store } from "./store/index.ts"
import { createTodoLists } from "./todo/todo-lists.ts"
import { createBuiltinTools } from "./tool/builtin-tools.ts"
import { findRipgrep } from "./tool/ripgrep.ts"
import { createRunningCommands } from "./tool/running-commands.ts"

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
  /** Longest silence of a provider in ms. */
  providerTimeoutMs: number
  /** Hears of faults that no caller can be told of. */
  onError(error: unknown): void
}

/**
 * Wires every part of the core, puts right what a crash left behind and goes on with interrupted turns.
 * This is the one file that knows all parts; front ends see only `Runtime`.
 */
export async function createRuntime(deps: RuntimeDeps): Promise<Runtime> {
  const { store, providers, createID, clock, onError } = deps
  const outputRoot = join(deps.dataDirectory, "tool-output")
  const bus = createGlobalBus(onError)
  const journal = createJournal({ store, bus })
  const parts = { store, journal, bus, createID, clock }
  const desk = createPermissionDesk({ ...parts, store: store.permission })
  const projects = createProjects({ ...parts, store: store.project })
  const configs = createConfigs({ home: deps.home, env: deps.env, clock })
  const files = createProjectFiles({ ripgrep: findRipgrep(), clock })
  const shares = createShares(parts)
  const todos = createTodoLists(parts)
  const background = new Set<Promise<void>>()

  const configOf = async (project: Project) => (await configs.of(project)).config
  const configByID = async (projectID: string | undefined) =>
    (await configs.of(projectID === undefined ? null : await projects.get(projectID))).config
  const agentsOf = async (project: Project) =>
    resolveAgents(await configOf(project), { home: deps.home, externalDirectories: [outputRoot] })
  const setupOf = async (session: { projectID: string }) => {
    const project = await projects.get(session.projectID)
    const config = await configOf(project)
    return { project, config, agents: await agentsOf(project), defaultModel: await providers.defaultModel(config) }
  }
  const sessions = createSessions({
    ...parts,
    projectByID: projects.get,
    async leadAgent(project, name) {
      const agents = await agentsOf(project)
      return name === undefined ? defaultAgent(agents, await configOf(project)).name : findAgent(agents, name).name
    },
  })
  const commands = createRunningCommands(join(deps.dataDirectory, "running-commands"))
  const builtinTools = createBuiltinTools({
    clock,
    onSpawn: commands.onSpawn,
    onExit: commands.onExit,
    env: deps.env,
    todos: {
      list: todos.list,
      replace: async (sessionID, items, agent) => todos.replace(await sessions.get(sessionID), items, agent),
    },
  })

  const loop: SessionTurnDeps = {
    ...parts,
    desk,
    onError,
    setupOf,
    providerTimeoutMs: deps.providerTimeoutMs,
    transcripts: createTranscriptCache(keptTranscripts),
    background(work) {
      background.add(work)
      void work.then(() => background.delete(work))
    },
    models: {
      resolve: providers.resolve,
      smallModel: providers.smallModel,
      costOf,
      toMessageError: (error, ref) => toMessageError(error, { providerID: ref.providerID }),
      retryDelay: (attempt, error) =>
        retryDelay(attempt, { headers: errorHeaders(error), random: deps.random, now: clock }),
    },
    tools: (turn) => [...builtinTools, createTaskTool({ agents: turn.agents, runChild: runChildOf(turn) })],
    systemPrompt: async (turn) =>
      systemPrompt({ ...(await environmentOf(turn)), agent: turn.agent, model: turn.model }),
    reminder: turnReminder,
    async outputDirectory(sessionID) {
      const directory = join(outputRoot, sessionID)
      await mkdir(directory, { recursive: true, mode: 0o700 })
      return directory
    },
  }
  const environmentOf = async ({ session, project, config, userMessage }: TurnContext) => ({
    directory: session.directory,
    worktree: project.worktree,
    git: project.git,
    platform: deps.platform,
    date: new Date(clock()),
    userSystem: userMessage.system,
    instructions: await findInstructions({
      directory: session.directory,
      worktree: project.worktree,
      home: deps.home,
      patterns: config.instructions ?? [],
    }),
  })
  const queue = createTurnQueue({ run: (turn, signal) => runSessionTurn(loop, turn, signal), onError })
  const abortDeps = { ...parts, queue }
  const prompts = createPrompts({
    ...parts,
    queue,
    setupOf,
    sessionByID: sessions.get,
    checkModel: (ref, config) => providers.resolve(ref, config),
  })
  const runChildOf = (turn: TurnContext) =>
    createRunChild(
      {
        ...parts,
        submit: prompts.enqueue,
        wait: (turnID) => prompts.wait(turnID),
        stop: async (sessionID) => abortTree(abortDeps, await sessions.get(sessionID)),
      },
      turn,
    )

  await commands.reap()
  await desk.expireAll()
  for (const turn of await recover(parts)) queue.add(turn)

  return {
    project: {
      open: projects.open,
      list: projects.list,
      get: projects.get,
      directories: projects.directories,
      files: async (id, query, limit) => files.search((await projects.get(id)).directory, query, limit),
    },
    session: {
      ...sessions,
      async remove(id) {
        const session = await sessions.get(id)
        await abortTree(abortDeps, session)
        await journal.commit(session.rootID, [{ kind: "session.remove", sessionID: id }])
        loop.transcripts.delete(id)
      },
    },
    prompt: prompts,
    abort: async (sessionID) => abortTree(abortDeps, await sessions.get(sessionID)),
    todo: {
      list: async (sessionID) => todos.list((await sessions.get(sessionID)).id),
      replace: async (sessionID, items, agent) => todos.replace(await sessions.get(sessionID), items, agent),
    },
    permission: { pending: (rootID) => store.permission.pending(rootID), reply: desk.reply },
    agent: { list: async (projectID) => agentsOf(await projects.get(projectID)) },
    provider: {
      list: async (projectID) => providers.list(await configByID(projectID)),
      defaultModel: async (projectID) => providers.defaultModel(await configByID(projectID)),
      saveKey: providers.saveKey,
      removeKey: providers.removeKey,
      refresh: providers.refresh,
    },
    config: { get: async (projectID) => configs.of(projectID === undefined ? null : await projects.get(projectID)) },
    share: {
      create: async (rootID) => shares.create(await sessions.get(rootID)),
      list: async (rootID) => shares.list((await sessions.get(rootID)).rootID),
      revoke: shares.revoke,
      resolve: shares.resolve,
    },
    feed: (query, signal) => readFeed({ store: store.feed, bus }, query, signal),
    async close() {
      await queue.close(new ServiceStopping())
      await Promise.all(background)
      await journal.flush()
    },
  }
}
