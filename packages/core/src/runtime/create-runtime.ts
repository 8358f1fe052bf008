import { createTaskService } from "../delegation/task-service.ts"
import { restartTask } from "../delegation/task-steps.ts"
import { readFeed } from "../event/feed.ts"
import { DatabaseLost, type LimitReached, ServiceStopping } from "../loop/stop-reason.ts"
import { instructionProblems } from "../prompt/system/instruction-problems.ts"
import { checkModel } from "../provider/check-model.ts"
import type { Session, Task } from "../schema/index.ts"
import { subtree } from "../session/subtree.ts"
import { abortTree } from "../turn/abort-tree.ts"
import { createPrompts } from "../turn/prompts.ts"
import { runSessionTurn } from "../turn/run-session-turn.ts"
import { createTurnQueue } from "../turn/turn-queue.ts"
import { createDelegation, createRuntimeReverts, createRuntimeScheduler, type Delegation } from "./create-delegation.ts"
import { createLoop } from "./create-loop.ts"
import { createParts, type Parts, type RuntimeDeps } from "./create-parts.ts"
import type { Runtime } from "./runtime.ts"
import { startRuntime } from "./start-runtime.ts"

/**
 * Wires every part of the core, puts right what a crash left behind and goes on with interrupted turns.
 * Only this file and the `runtime-*` files beside it know all parts; front ends see only `Runtime`.
 */
export async function createRuntime(deps: RuntimeDeps): Promise<Runtime> {
  const parts = createParts(deps)
  const { store, journal, sessions, desk } = parts
  const loop = createLoop(deps, parts, () => ({ ...delegation, schedule: scheduler }))
  const { onError } = deps
  const queue = createTurnQueue({
    run: (turn, signal, begin) => runSessionTurn(loop, turn, { signal, begin }),
    onError,
  })
  const reverts = createRuntimeReverts(deps, parts, loop.transcripts.delete)
  const prompts = createPrompts({
    ...parts,
    queue,
    reverts,
    sessionByID: sessions.get,
    checkModel: (config, wanted) => checkModel(deps.providers, config, wanted),
  })
  const abort = (sessionID: string, reason?: LimitReached) => {
    const { stopUnder: stopTasks, ended: tasksEnded } = delegation.tasks
    const { endBackground: endCommands } = parts.commands
    const run = { queue, sessionByID: sessions.get, stopTasks, tasksEnded, endCommands, onError }
    return abortTree({ ...parts, ...run }, sessionID, reason)
  }
  const delegation = createDelegation(deps, parts, { queue, prompts, abort })
  const { tasks } = delegation
  const scheduler = createRuntimeScheduler(deps, parts, prompts)

  deps.watchStore?.(() => {
    queue.interrupt(new DatabaseLost())
    loop.background.interrupt()
  })
  await startRuntime(deps, parts, { queue, reverts, tasks, scheduler })
  parts.savedOutputs.start()

  return {
    ...readAndSettings(deps, parts),
    session: {
      ...sessions,
      async remove(id) {
        const session = await sessions.get(id)
        await abort(id)
        const removed = subtree(await store.session.tree(session.rootID), id)
        await journal.commit(session.rootID, [{ kind: "session.remove", sessionID: id }])
        loop.transcripts.delete(id)
        await parts.savedOutputs.remove(removed.map((member) => member.id))
      },
      revert: reverts.undo,
      async unrevert(id) {
        const redone = await reverts.redo(id)
        // Of background tasks that ended while it was undone.
        await tasks.turnEnded(id)
        return redone
      },
    },
    prompt: prompts,
    abort: (sessionID) => abort(sessionID),
    task: createTaskService({
      ...parts,
      tasks,
      sessionByID: sessions.get,
      projectOf: async (session) => parts.projects.get(session.projectID),
      restart: (task, parent) => restartForPerson(parts, delegation, task, parent),
    }),
    permission: { pending: (rootID) => store.permission.pending(rootID), reply: desk.reply },
    feed: (query, signal) => readFeed({ store: store.feed, bus: parts.bus }, query, signal),
    schedule: scheduler,
    async close() {
      parts.endings.close()
      await scheduler.stop()
      await queue.close(new ServiceStopping())
      await loop.background.done()
      delegation.budgets.close()
      await parts.savedOutputs.stop()
      await journal.flush()
    },
  }
}

/** Runs a task again: its tree's clock starts anew, and a root that was stopped is told of the end all the same. */
async function restartForPerson(parts: Parts, { tasks, delegate }: Delegation, task: Task, parent: Session) {
  tasks.restartClock(parent.rootID)
  const root = await parts.sessions.get(parent.rootID)
  const patch = { kind: "session.patch", sessionID: root.id, patch: { abortedAt: null } } as const
  if (root.abortedAt !== null) await parts.journal.commit(root.id, [patch])
  return restartTask(parts, delegate, task, parent)
}

/** The use cases that touch no running turn. */
function readAndSettings(deps: RuntimeDeps, parts: Parts) {
  const { projects, configs, todos, sessions, shares } = parts
  const { providers } = deps
  const configReport = async (projectID: string | undefined) => {
    if (projectID === undefined) return configs.of(null)
    const project = await projects.get(projectID)
    const report = await configs.of(project)
    const left = await instructionProblems({ ...project, home: deps.home, patterns: report.config.instructions ?? [] })
    return { ...report, problems: [...report.problems, ...left] }
  }
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
      defaultModel: async (projectID) => parts.defaultModelOf((await configReport(projectID)).config, projectID),
      saveKey: providers.saveKey,
      removeKey: providers.removeKey,
      refresh: providers.refresh,
      packages: providers.packages.list,
      lookUpPackage: providers.packages.lookUp,
      installPackage: providers.packages.install,
      removePackage: providers.packages.remove,
    },
    config: {
      async get(projectID) {
        const { ceilings: _ceilings, digests: _digests, ...report } = await configReport(projectID)
        return report
      },
      ...parts.projectTrusts,
    },
    share: {
      create: async (rootID) => shares.create(await sessions.get(rootID)),
      list: async (rootID) => shares.list((await sessions.get(rootID)).rootID),
      revoke: shares.revoke,
      resolve: shares.resolve,
      ended: shares.ended,
    },
  } satisfies Partial<Runtime>
}
