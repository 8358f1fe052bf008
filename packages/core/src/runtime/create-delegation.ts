import { join } from "node:path"
import { createDelegate } from "../delegation/delegate.ts"
import type { Delegate } from "../delegation/delegate-request.ts"
import { originalRequest } from "../delegation/original-request.ts"
import { finishWorktree } from "../delegation/task-steps.ts"
import { createTasks, type Tasks } from "../delegation/tasks.ts"
import { createTreeBudgets, type TreeBudgets } from "../delegation/tree-budgets.ts"
import { LimitReached } from "../loop/stop-reason.ts"
import { checkModel } from "../provider/check-model.ts"
import { createReverts, type Reverts } from "../revert/create-reverts.ts"
import { createScheduleTarget, type ScheduleTargetDeps } from "../schedule/schedule-target.ts"
import { createScheduler, type Scheduler } from "../schedule/scheduler.ts"
import type { TaskError } from "../schema/index.ts"
import { createPendingMarks } from "../session/pending-marks.ts"
import { openTodosOf } from "../todo/open-todos-of.ts"
import type { Prompts } from "../turn/prompts.ts"
import type { TurnQueue } from "../turn/turn-queue.ts"
import type { Parts, RuntimeDeps } from "./create-parts.ts"

export interface Delegation {
  tasks: Tasks
  delegate: Delegate
  budgets: TreeBudgets
}

/** A parent whose tasks have ended for lack of time gets so long (ms) to take in their answers. */
const endGraceMs = 1_000

/** Tasks over the queue of turns. */
export function createDelegation(
  deps: RuntimeDeps,
  parts: Parts,
  run: { queue: TurnQueue; prompts: Prompts; abort: Abort },
): Delegation {
  const { store, sessions, worktrees } = parts
  const timeUp = async (rootID: string, error: TaskError) => {
    const ended = await tasks.endTree(rootID, error)
    const members = await store.session.tree(rootID)
    const reason = new LimitReached(error.message)
    await Promise.all(members.map(({ id }) => run.queue.stop(id, reason, ended > 0 ? endGraceMs : 0)))
    await parts.commands.endBackground(members.map(({ id }) => id))
  }
  const budgets = createTreeBudgets({
    ...parts,
    onTimeUp: (rootID, error) => void timeUp(rootID, error).catch(deps.onError),
  })
  const tasks = createTasks({
    ...parts,
    budgets,
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
    originalRequest: (session, messageID) => originalRequest({ store, sessionByID: sessions.get }, session, messageID),
  })
  return { tasks, delegate, budgets }
}

type Abort = (sessionID: string, reason?: LimitReached) => Promise<void>

export function createRuntimeScheduler(deps: RuntimeDeps, parts: Parts, prompts: Prompts): Scheduler {
  const check: ScheduleTargetDeps["checkModel"] = (model, config) => checkModel(deps.providers, config, { model })
  return createScheduler({
    ...parts,
    store: parts.store.schedule,
    target: createScheduleTarget({ ...parts, prompts, checkModel: check }),
    setTimer(run, ms) {
      const timer = setTimeout(run, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
    onError: deps.onError,
  })
}

/** @param forget drops what is held in memory of a session's transcript */
export function createRuntimeReverts(deps: RuntimeDeps, parts: Parts, forget: (sessionID: string) => void): Reverts {
  return createReverts({
    ...parts,
    marks: createPendingMarks(join(deps.dataDirectory, "undo-pending")),
    sessionByID: parts.sessions.get,
    projectByID: parts.projects.get,
    forget,
    onError: deps.onError,
  })
}
