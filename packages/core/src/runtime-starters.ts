import { createDelegate, type Delegate } from "./delegation/delegate.ts"
import { finishWorktree } from "./delegation/task-steps.ts"
import { createTasks, type Tasks } from "./delegation/tasks.ts"
import type { Prompts } from "./prompt/prompts.ts"
import type { Parts, RuntimeDeps } from "./runtime-parts.ts"
import { createScheduleTarget, type ScheduleTargetDeps } from "./schedule/schedule-target.ts"
import { createScheduler, type Scheduler } from "./schedule/scheduler.ts"
import type { TurnQueue } from "./session/turn-queue.ts"
import { openTodosOf } from "./todo/open-todos-of.ts"

export interface Delegation {
  tasks: Tasks
  delegate: Delegate
}

/** Tasks over the queue of turns. */
export function createDelegation(
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

export function createRuntimeScheduler(deps: RuntimeDeps, parts: Parts, prompts: Prompts): Scheduler {
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
