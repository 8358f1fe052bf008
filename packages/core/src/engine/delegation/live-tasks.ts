import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { FinalWrites } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { ReviewStatus } from "../../ground/message/review-status.ts"
import type {
  Caller,
  Notice,
  PromptPart,
  Session,
  Task,
  TaskError,
  TaskLimits,
  TaskSize,
  Turn,
} from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { TodoChangeOrigin, TodoService } from "../../records/todo/todo-service.ts"
import { notesRead, type SessionNotes } from "../loop/session-notes.ts"
import type { LimitReached, StoppedByUser } from "../loop/stop-reason.ts"
import type { TreeTasks } from "../turn/stop-turns.ts"
import type { TaskNotices } from "./task-answers.ts"
import type { TreeBudgets } from "./tree-budgets.ts"

/** An open task with the state that its row cannot hold. */
export interface LiveTask {
  task: Task
  child: Session
  request: NewTask
  /** Resolves with the ended task. */
  ended: PromiseWithResolvers<Task>
  /** Resolves when the parent stops waiting: the task has ended or was sent to the background. */
  released: PromiseWithResolvers<void>
  /** Set when the task is being ended from outside. */
  ending: { state: "cancelled" | "timed_out" | "failed"; error: TaskError } | null
  timer: NodeJS.Timeout | null
  /** How many waits pause the task's clock. */
  pauses: number
  /** The time left on the paused clock (ms); null for no limit. */
  timeLeft: number | null
  /** Set while the task is held for a review. Call it after a change that may decide the review. */
  wake: (() => void) | null
  /** The child's last turn has ended: it reads no more messages. */
  closed: boolean
  /** Another process continues the task: this process stores nothing more of it. */
  isHandedOver: boolean
  /** Set once the end of the task is being stored. */
  end: Promise<Task> | null
}

/** The open tasks of this process, by id and by child session. */
export interface LiveTasks {
  add(task: Task, request: NewTask): LiveTask
  remove(entry: LiveTask): void
  byID(id: string): LiveTask | undefined
  byChild(sessionID: string): LiveTask | undefined
  /** The task that a tool call started, by the id of its part. */
  byCall(partID: string): LiveTask | undefined
  /** The tasks that a session works for, nearest first. */
  chain(sessionID: string): LiveTask[]
  /** Open tasks that these sessions started or that run in them. */
  around(sessionIDs: string[]): LiveTask[]
  inTree(rootID: string): LiveTask[]
  /** Tasks for these people that run or wait for a slot, without finished tasks that are held for a review. */
  workingFor(people: ReadonlySet<string>): LiveTask[]
  /** The task as it is now, open or not. @throws task_not_found */
  get(id: string): Promise<Task>
}

export function createLiveTasks(store: Pick<Store, "task">): LiveTasks {
  const ids = new Map<string, LiveTask>()
  const children = new Map<string, LiveTask>()
  return {
    add(task, request) {
      const entry: LiveTask = {
        task,
        child: request.child,
        request,
        ended: Promise.withResolvers(),
        released: Promise.withResolvers(),
        ending: null,
        timer: null,
        pauses: 0,
        timeLeft: null,
        wake: null,
        closed: false,
        isHandedOver: false,
        end: null,
      }
      ids.set(task.id, entry)
      children.set(task.sessionID, entry)
      return entry
    },
    remove(entry) {
      ids.delete(entry.task.id)
      if (children.get(entry.task.sessionID) === entry) children.delete(entry.task.sessionID)
    },
    byID: (id) => ids.get(id),
    byChild: (sessionID) => children.get(sessionID),
    byCall: (partID) => [...ids.values()].find(({ task }) => task.partID === partID),
    chain(sessionID) {
      const found: LiveTask[] = []
      for (let entry = children.get(sessionID); entry !== undefined; entry = children.get(entry.task.parentID)) {
        found.push(entry)
      }
      return found
    },
    around(sessionIDs) {
      const sessions = new Set(sessionIDs)
      return [...ids.values()].filter(({ task }) => sessions.has(task.parentID) || sessions.has(task.sessionID))
    },
    inTree: (rootID) => [...ids.values()].filter(({ task }) => task.rootID === rootID),
    workingFor: (people) =>
      [...ids.values()].filter(
        ({ task }) => people.has(task.cause?.person ?? "") && task.state !== "awaiting_review" && !isEnded(task),
      ),
    async get(id) {
      const task = ids.get(id)?.task ?? (await store.task.get(id))
      if (task === null) throw new DocketError("task_not_found", `There is no task ${id}.`)
      return task
    },
  }
}

/** A task to start. When its child session is new, `mutations` store it. */
export interface NewTask {
  parent: Session
  child: Session
  mutations: Mutation[]
  agent: string
  description: string
  prompt: string
  /** The command that the prompt came from; null for a prompt by a person or an agent. */
  command: string | null
  /** The content of the prompt as data, when Docket wrote it; null for a prompt by a person or an agent. */
  notice: Notice | null
  /** Parts before the prompt that Docket adds (the delegation context). */
  preamble: PromptPart[]
  model: Task["model"]
  mode: Task["mode"]
  /** The user for whom the task works. */
  cause: Caller | undefined
  /** The tool call that delegates; null when a person or an inline command delegates. */
  call: { messageID: string; partID: string; callID: string } | null
  limits: TaskLimits
  /** How many children of the parent may run at once. */
  concurrency: number
  outputSchema: Record<string, unknown> | null
  todoID: string | null
  worktree: Task["worktree"]
  review: Task["review"]
  /** Whoever asked for the task reads its result by themselves. */
  isCollected: boolean
}

/** Rebuilds the request of a task from its row. */
export function requestOf(task: Task, parent: Session, child: Session): Omit<NewTask, "concurrency"> {
  const { agent, description, prompt, model, mode, limits, outputSchema, todoID, worktree, review } = task
  const work = { agent, description, prompt, model, mode, limits, outputSchema, todoID, worktree, review }
  return {
    ...work,
    command: task.command ?? null,
    parent,
    child,
    mutations: [],
    notice: null,
    preamble: [],
    cause: task.cause,
    call: null,
    isCollected: task.delivered === "poll",
  }
}

export interface TasksDeps extends TaskTodoDeps {
  store: Store
  journal: Journal
  bus: Bus
  finalWrites: FinalWrites
  createID: CreateId
  notes: SessionNotes
  budgets: TreeBudgets
  /** Queues a prompt; `mutations` commit together with its turn. */
  submit(session: Session, parts: PromptPart[], options: SubmitOptions): Promise<Turn>
  wait(turnID: string): Promise<Turn>
  /** Stops a session and everything under it; `tasks` holds their tasks. The default reason is the user's wish. */
  abort(tasks: TreeTasks, sessionID: string, reason?: LimitReached | StoppedByUser): Promise<unknown>
  /** Whether a turn of the session runs, in this or another runtime. */
  isRunning(sessionID: string): Promise<boolean>
  /** Whether other runtimes on the same store may run tasks too. Open tasks unknown here belong to them. */
  isShared: boolean
  /** The current review mark of a task, with the reason of the newest verdict behind it. */
  reviewOf(task: Task): Promise<{ status: ReviewStatus; reason: string }>
  /** Receives what other runtimes store in a tree, until the returned function is called. */
  follow(rootID: string): Promise<() => void>
  /** How many children of the session may run at once. */
  concurrencyOf(session: Session): Promise<number>
  /** The directory for long answers in a session. */
  outputDirectory(sessionID: string): Promise<string>
  /** How much the task has changed so far. */
  sizeOf(task: Task): Promise<TaskSize>
  /** Finishes the worktree of a task that is about to end, if it has one. The task's result reports a failure. */
  finishWorktree(task: Task): Promise<Task>
}

export interface SubmitOptions {
  agent: string
  model: Task["model"] | null
  /** The user for whom the turn works. */
  cause: Caller | undefined
  /** A JSON Schema that the answer must fit. */
  outputSchema?: Task["outputSchema"]
  mutations?: Mutation[]
  /** The call that queues it waits for its end. */
  isAwaited?: boolean
}

/** Limits how many tasks run at once. Counted per parent, so that a nested task never waits for its ancestor's slot. */
export interface Slots {
  /**
   * Resolves when the task may run. Waiting tasks of one parent start in the order of their numbers, also when the
   * worktree of an earlier task took longer to create. `number` is the task's; `limit`: so many tasks may run at once.
   */
  take(parentID: string, taskID: string, place: { number: number; limit: number }): Promise<void>
  isWaiting(parentID: string, taskID: string): boolean
  release(parentID: string): void
  /** Removes a waiting task from the queue; false when it already runs. */
  leave(parentID: string, taskID: string): boolean
}

interface SlotQueue {
  running: number
  waiting: { taskID: string; number: number; limit: number; start: () => void }[]
}

export function createSlots(): Slots {
  const queues = new Map<string, SlotQueue>()
  const queueOf = (parentID: string): SlotQueue => {
    const queue = queues.get(parentID) ?? { running: 0, waiting: [] }
    queues.set(parentID, queue)
    return queue
  }
  const advance = (parentID: string) => {
    const queue = queueOf(parentID)
    const next = queue.waiting[0]
    if (next !== undefined && queue.running < next.limit) {
      queue.waiting.shift()
      queue.running += 1
      next.start()
      advance(parentID)
    } else if (queue.running === 0 && queue.waiting.length === 0) queues.delete(parentID)
  }
  return {
    take(parentID, taskID, { number, limit }) {
      return new Promise((resolve) => {
        const { waiting } = queueOf(parentID)
        const behind = waiting.findIndex((entry) => entry.number > number)
        waiting.splice(behind < 0 ? waiting.length : behind, 0, { taskID, number, limit, start: resolve })
        advance(parentID)
      })
    },
    isWaiting: (parentID, taskID) => queues.get(parentID)?.waiting.some((entry) => entry.taskID === taskID) ?? false,
    release(parentID) {
      queueOf(parentID).running -= 1
      advance(parentID)
    },
    leave(parentID, taskID) {
      const queue = queueOf(parentID)
      const at = queue.waiting.findIndex((entry) => entry.taskID === taskID)
      if (at >= 0) queue.waiting.splice(at, 1)
      advance(parentID)
      return at >= 0
    },
  }
}

/** Writes the rows of open tasks. */
export interface TaskRecords {
  /** Stores a new task under the next number of the tree, after the mutations in `more`. */
  putNew(entry: LiveTask, more: Mutation[]): Promise<void>
  /** Stores a change of the task, together with the mutations in `more`. */
  put(entry: LiveTask, change: Partial<Task>, more?: Mutation[]): Promise<Task>
  /** The only place where a task reaches a terminal state. Ending a task twice changes nothing. */
  end(entry: LiveTask, change: Partial<Task> & { state: Task["state"] }): Promise<Task>
}

type UsedDeps =
  | "sizeOf"
  | "store"
  | "journal"
  | "finalWrites"
  | "notes"
  | "finishWorktree"
  | "todos"
  | "clock"
  | "onError"

interface TaskRecordsDeps extends Pick<TasksDeps, UsedDeps> {
  live: LiveTasks
  notices: TaskNotices
}

export function createTaskRecords(deps: TaskRecordsDeps): TaskRecords {
  const put: TaskRecords["put"] = async (entry, change, more = []) => {
    if (entry.isHandedOver) return entry.task
    entry.task = { ...entry.task, ...change }
    await deps.journal.commit(entry.task.rootID, [...more, { kind: "task", value: entry.task }])
    return entry.task
  }
  const putEnd: TaskRecords["put"] = async (entry, change, more) => {
    const row = await deps.store.task.get(entry.task.id)
    if (row === null || !isEnded(row)) return put(entry, change, more)
    // An earlier write that seemed to fail, or a runtime that took the task over, has stored the end.
    entry.task = row
    return row
  }
  /** Removes the task from memory and releases everyone here who waits for it. */
  const forget = (entry: LiveTask): Task => {
    const { task } = entry
    deps.live.remove(entry)
    entry.ended.resolve(task)
    entry.released.resolve()
    return task
  }
  const finish: TaskRecords["end"] = async (entry, change) => {
    entry.closed = true
    if (entry.timer !== null) clearTimeout(entry.timer)
    if (entry.isHandedOver) return forget(entry)
    // Nobody reads these notes now, and a later task in the same session must not read them.
    const unread = notesRead(entry.child.id, await deps.notes.take(entry.child.id, "loud"))
    // Measured before the worktree is removed, because the snapshots are in it.
    const size = await measured(deps, entry.task)
    const { result = null, worktree } = await deps.finishWorktree({ ...entry.task, ...change })
    const time = { ...entry.task.time, ended: deps.clock() }
    const { rootID } = entry.task
    // Usage counts until this write. When the process ends before it, the next start marks the task as interrupted.
    await deps.finalWrites
      .store({ rootID }, () => putEnd(entry, { ...change, ...size, result, worktree, time }, unread))
      .then((task) => proposeTodo(deps, task), deps.onError)
    const task = forget(entry)
    if (task.mode === "background") deps.notices.soon(task.parentID).catch(deps.onError)
    return task
  }
  return {
    async putNew(entry, more) {
      const { id, rootID } = entry.task
      const changes = await deps.journal.commit(rootID, [...more, { kind: "task.new", value: entry.task }])
      for (const change of changes) {
        if (change.kind === "task" && change.value.id === id)
          entry.task = { ...entry.task, number: change.value.number }
      }
    },
    put,
    end(entry, change) {
      entry.end ??= finish(entry, change)
      return entry.end
    },
  }
}

/** Measures how much a task has changed. A failure is reported and does not keep the task from ending. */
export async function measured(
  { sizeOf, onError }: Pick<TasksDeps, "sizeOf" | "onError">,
  task: Task,
): Promise<Pick<Task, "size">> {
  if (task.time.started === null) return {}
  try {
    return { size: await sizeOf(task) }
  } catch (error) {
    onError(error)
    return {}
  }
}

interface TaskTodoDeps {
  todos: Pick<TodoService, "update">
  clock: () => number
  onError(error: unknown): void
}

/** Makes the task the owner of the todo that it serves. */
export async function ownTodo(deps: TaskTodoDeps, task: Task): Promise<void> {
  if (task.todoID === null) return
  const owner = { agent: task.agent, sessionID: task.sessionID, taskID: task.id }
  await deps.todos.update(task.todoID, { owner }, origin(task)).catch(deps.onError)
}

/** Proposes the todo of a completed task as done; a person or the agent decides. */
async function proposeTodo(deps: TaskTodoDeps, task: Task): Promise<void> {
  if (task.todoID === null || task.state !== "completed") return
  const proposed = { taskID: task.id, at: deps.clock() }
  await deps.todos.update(task.todoID, { proposed }, origin(task)).catch(deps.onError)
}

function origin({ agent, messageID, partID }: Task): TodoChangeOrigin {
  return {
    actor: { kind: "task", name: agent },
    ...(messageID !== null && { messageID }),
    ...(partID !== null && { partID }),
  }
}
