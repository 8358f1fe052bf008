import type { Tool } from "../acts/tool/tool.ts"
import type { Changes } from "../engine/changes/create-changes.ts"
import { concurrencyOf, createDelegate, type Delegate } from "../engine/delegation/delegate.ts"
import { originalRequest } from "../engine/delegation/delegation-context.ts"
import {
  createAsyncTaskTools,
  createGuestTool,
  createRunTask,
  createTaskTool,
  settledLaunch,
  startableBy,
} from "../engine/delegation/delegation-tools.ts"
import type { TasksDeps } from "../engine/delegation/live-tasks.ts"
import { createTasks, type Tasks } from "../engine/delegation/tasks.ts"
import { createTreeBudgets, type TreeBudgets, timeUp } from "../engine/delegation/tree-budgets.ts"
import { finishWorktree } from "../engine/delegation/worktrees.ts"
import type { Plug } from "../engine/loop/hooks.ts"
import type { LimitReached, StoppedByUser } from "../engine/loop/stop-reason.ts"
import type { ToolSource } from "../engine/loop/tool-source.ts"
import type { TurnContext } from "../engine/loop/turn-context.ts"
import type { ProgramSubagent } from "../engine/program/agent-programs.ts"
import { createProgramGuests, type ProgramGuests } from "../engine/program/program-guests.ts"
import type { Prompts } from "../engine/turn/prompts.ts"
import type { SessionQueues } from "../engine/turn/session-queues.ts"
import { abortTree, type TreeTasks } from "../engine/turn/stop-turns.ts"
import type { TurnQueue } from "../engine/turn/turn-queue.ts"
import type { Task, TaskError, Turn } from "../ground/schema/index.ts"
import { taskMark } from "../records/review/reviewed-state.ts"
import { openTodosOf } from "../records/todo/open-todos-of.ts"
import type { Services } from "./create-services.ts"
import type { RuntimeDeps } from "./runtime-deps.ts"

export interface Delegation {
  tasks: Tasks
  delegate: Delegate
  budgets: TreeBudgets
  /** Queues a prompt that Docket writes itself; `mutations` commit together with its turn. */
  submit: TasksDeps["submit"]
  /** The hooks of delegation, except those for prompts. */
  plug: Plug
  /** The delegation tools of turns. */
  toolSource: ToolSource
  /** The subagents of programs, and the calls in which they work. */
  guests: ProgramGuests
  guestTool(turn: TurnContext, guest: ProgramSubagent): Tool
  /** Stops a session and everything under it; returns its waiting prompts. @throws as `abortTree` */
  abort(sessionID: string, reason?: LimitReached | StoppedByUser): Promise<Turn[]>
}

/** Creates delegation on top of the turn queue. */
export function createDelegation(
  deps: RuntimeDeps,
  services: Services,
  {
    queue,
    sessionQueues,
    prompts,
    changes,
  }: { queue: TurnQueue; sessionQueues: SessionQueues; prompts: Prompts; changes: Changes },
): Delegation {
  const { store, journal, bus, finalWrites, createID, clock, isShared, sessions, worktrees } = services
  const { onError } = deps
  const sessionByID = sessions.get
  const budgets = createTreeBudgets({ store, journal, clock, isShared })
  const abort = (tasks: TreeTasks, sessionID: string, reason?: LimitReached | StoppedByUser) =>
    abortTree(
      {
        ...{ store, journal, bus, finalWrites, clock, queue, sessionQueues, tasks, sessionByID, onError },
        ...{ commands: services.commands, stopMarkers: services.stopMarkers },
      },
      sessionID,
      reason,
    )
  const submit: TasksDeps["submit"] = (
    session,
    parts,
    { agent, model, cause, outputSchema, isAwaited, mutations: more },
  ) =>
    prompts.enqueue(
      session,
      { parts, agent, ...(model !== null && { model }), ...(outputSchema && { outputSchema }) },
      { cause, more, isAwaited },
    )
  const tasks = createTasks({
    ...{ store, journal, bus, finalWrites, createID, clock, isShared, budgets, submit, abort, onError },
    ...{ notes: services.notes, todos: services.todos, outputDirectory: services.outputDirectory },
    wait: (turnID) => prompts.wait(turnID),
    isRunning: queue.isRunning,
    sizeOf: changes.sizeOf,
    finishWorktree: (task) => finishWorktree(worktrees, task),
    reviewOf: (task) => taskMark(services, task),
    follow: services.follower.follow,
    concurrencyOf: async (session) => concurrencyOf((await services.setupOf(session)).config),
  })
  const guests = createProgramGuests()
  const delegate = createDelegate({
    ...{ store, journal, createID, clock, tasks, worktrees, guests, models: deps.providers },
    openTodos: (sessionID) => openTodosOf(store.todo, sessionID),
    memoryLines: async (sessionID) => services.memory.pipeline(await sessions.get(sessionID)),
    originalRequest: (session, messageID) => originalRequest({ store, sessionByID }, session, messageID),
  })
  return {
    tasks,
    delegate,
    budgets,
    submit,
    plug: createPlug(deps, services, { tasks, queue }),
    guests,
    guestTool: (turn, guest) =>
      createGuestTool({ runTask: createRunTask({ store, bus, clock, tasks, delegate }, turn), guests }, turn, guest),
    toolSource: { name: "delegation", tools: (turn) => delegationTools(services, { tasks, delegate }, turn) },
    abort: (sessionID, reason) => abort(tasks, sessionID, reason),
  }
}

function createPlug(
  { onError, clock }: RuntimeDeps,
  { store, commands }: Services,
  { tasks, queue }: { tasks: Tasks; queue: TurnQueue },
): Plug {
  const end = async (rootID: string, error: TaskError) => {
    await timeUp({ tasks, queue, clock }, rootID, error)
    const members = await store.session.tree(rootID)
    await commands.endBackground(members.map(({ id }) => id))
  }
  const onTimeUp = (rootID: string, error: TaskError) => void end(rootID, error).catch(onError)
  return {
    turnBegins: (turn, session, config) => tasks.beginWork(turn, session, { config, onTimeUp }),
    stepLimit: tasks.allow,
    stepUsed: tasks.recordStep,
    turnEnded: tasks.turnEnded,
  }
}

function delegationTools(
  { store, bus, clock }: Pick<Services, "store" | "bus" | "clock">,
  { tasks, delegate }: Pick<Delegation, "tasks" | "delegate">,
  turn: TurnContext,
): Tool[] {
  const runTask = createRunTask({ store, bus, clock, tasks, delegate }, turn)
  const launchSettled = (task: Task) => settledLaunch({ bus, tasks }, task)
  const tools = [
    createTaskTool({ calling: turn, runTask }),
    ...createAsyncTaskTools({ tasks, delegate, launchSettled }, turn),
  ]
  // The agent may start no agent, but can still ask for tasks that already run.
  return startableBy(turn).length > 0 ? tools : tools.filter(({ id }) => id !== "task" && id !== "async_task")
}
