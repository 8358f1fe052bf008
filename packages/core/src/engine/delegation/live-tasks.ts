import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { FinalWrites } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { ReviewMark } from "../../ground/message/review-marks.ts"
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

/** An open task with what its row cannot hold. */
export interface LiveTask {
  task: Task
  child: Session
  request: NewTask
  ended: PromiseWithResolvers<Task>
  /** Resolves when the parent need not wait any more: it has ended, or was sent to the background. */
  released: PromiseWithResolvers<void>
  /** Why it is being ended from outside. */
  ending: { state: "cancelled" | "timed_out" | "failed"; error: TaskError } | null
  timer: NodeJS.Timeout | null
  /** Why its clock stands still, in numbers, and what is left on it (ms; null for no limit). */
  pauses: number
  left: number | null
  /** Set while it is held for a review: something happened that may decide. */
  wake: (() => void) | null
  /** The child's last turn is over: it reads no more messages. */
  closed: boolean
  /** Another process goes on with it: nothing more is stored of it here. */
  isLeft: boolean
  /** Set once it is being ended. */
  end: Promise<Task> | null
}

/** The open tasks of this process, by id and by child session. */
export interface LiveTasks {
  add(task: Task, request: NewTask): LiveTask
  remove(entry: LiveTask): void
  byID(id: string): LiveTask | undefined
  byChild(sessionID: string): LiveTask | undefined
  /** The one that a call started, by its part. */
  byCall(partID: string): LiveTask | undefined
  /** The tasks that a session works for, nearest first. */
  chain(sessionID: string): LiveTask[]
  /** Open tasks that these sessions started or that run in them. */
  around(sessionIDs: string[]): LiveTask[]
  inTree(rootID: string): LiveTask[]
  /** Those that work or wait for a slot for these people; what is done and held for a review does neither. */
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
        left: null,
        wake: null,
        closed: false,
        isLeft: false,
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
      const wanted = new Set(sessionIDs)
      return [...ids.values()].filter(({ task }) => wanted.has(task.parentID) || wanted.has(task.sessionID))
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

/** A task to start, with its child session not yet stored when `mutations` says so. */
export interface NewTask {
  parent: Session
  child: Session
  mutations: Mutation[]
  agent: string
  description: string
  prompt: string
  /** The command of a prompt that it comes of; null for what a person or an agent says themselves. */
  command: string | null
  /** What Docket says in the prompt, as data; null for the words of a person or an agent. */
  notice: Notice | null
  /** Parts before the prompt that Docket adds (the delegation context). */
  preamble: PromptPart[]
  model: Task["model"]
  mode: Task["mode"]
  /** For whom it works. */
  cause: Caller | undefined
  call: { messageID: string; partID: string; callID: string } | null
  limits: TaskLimits
  concurrency: number
  outputSchema: Record<string, unknown> | null
  todoID: string | null
  worktree: Task["worktree"]
  review: Task["review"]
}

/** What a task was asked for, as far as its row tells. */
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
  /** Stops a session and everything under it, of which `tasks` are the tasks. The reason is the user's wish unless given. */
  abort(tasks: TreeTasks, sessionID: string, reason?: LimitReached | StoppedByUser): Promise<unknown>
  /** Whether a turn of the session runs, here or elsewhere. */
  isRunning(sessionID: string): Promise<boolean>
  /** Whether other runtimes on the same store may run tasks too: what is open and not here is theirs. */
  isShared: boolean
  /** What people say of a task now: the mark, and the reason of the newest verdict that makes it. */
  reviewOf(task: Task): Promise<{ mark: ReviewMark; reason: string }>
  /** Hears of what other runtimes store in a tree, until what it answers with is called. */
  follow(rootID: string): Promise<() => void>
  /** Children of the session that may run at once. */
  concurrencyOf(session: Session): Promise<number>
  /** Where long answers of a session are kept. */
  outputDirectory(sessionID: string): Promise<string>
  /** How much a task has changed by now. */
  sizeOf(task: Task): Promise<TaskSize>
  /** Ends the isolation of a task that is about to end, if it has one. What fails is told in the result. */
  finishWorktree(task: Task): Promise<Task>
}

export interface SubmitOptions {
  agent: string
  model: Task["model"] | null
  /** For whom the turn works. */
  cause: Caller | undefined
  mutations?: Mutation[]
}

/** Who may run now. Counted per parent, so that nested tasks never wait for a slot that their ancestor holds. */
export interface Slots {
  /**
   * Resolves when the task may run. Waiting tasks of one parent start in the order of their numbers, which is that
   * of their calls: one whose worktree took its time does not lose its turn by that.
   */
  take(parentID: string, taskID: string, place: { number: number; limit: number }): Promise<void>
  isWaiting(parentID: string, taskID: string): boolean
  release(parentID: string): void
  /** Takes a waiting task out; false when it already runs. */
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

/** The rows of open tasks. */
export interface TaskRecords {
  /** Stores a new task, which gets the tree's next number, and more mutations before it. */
  putNew(entry: LiveTask, more: Mutation[]): Promise<void>
  /** Stores the task as it is in memory with a change, and more mutations with it. */
  put(entry: LiveTask, change: Partial<Task>, more?: Mutation[]): Promise<Task>
  /** The one place where a task reaches a terminal state; a second end changes nothing. */
  end(entry: LiveTask, change: Partial<Task> & { state: Task["state"] }): Promise<Task>
}

type Used = "sizeOf" | "store" | "journal" | "finalWrites" | "notes" | "finishWorktree" | "todos" | "clock" | "onError"

interface TaskRecordsDeps extends Pick<TasksDeps, Used> {
  live: LiveTasks
  notices: TaskNotices
}

export function createTaskRecords(deps: TaskRecordsDeps): TaskRecords {
  const put: TaskRecords["put"] = async (entry, change, more = []) => {
    if (entry.isLeft) return entry.task
    entry.task = { ...entry.task, ...change }
    await deps.journal.commit(entry.task.rootID, [...more, { kind: "task", value: entry.task }])
    return entry.task
  }
  const putEnd: TaskRecords["put"] = async (entry, change, more) => {
    const row = await deps.store.task.get(entry.task.id)
    if (row === null || !isEnded(row)) return put(entry, change, more)
    // Stored by an attempt that seemed to fail, or by a runtime that took the work over.
    entry.task = row
    return row
  }
  /** Whoever waits for it here waits no more. */
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
    if (entry.isLeft) return forget(entry)
    // Nobody reads them now; a later task in the same session must not.
    const unread = notesRead(entry.child.id, await deps.notes.take(entry.child.id, "loud"))
    // Before the worktree is given up, which holds the snapshots.
    const size = await measured(deps, entry.task)
    const { result = null, worktree } = await deps.finishWorktree({ ...entry.task, ...change })
    const time = { ...entry.task.time, ended: deps.clock() }
    const { rootID } = entry.task
    // What it used is counted until then. When the process ends before, the next start marks it as interrupted.
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

/** How much a task has changed; what cannot be read keeps no task from its end. */
export async function measured(
  { sizeOf, onError }: Pick<TasksDeps, "sizeOf" | "onError">,
  task: Task,
): Promise<Pick<Task, "size">> {
  // It has not begun.
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

/** Names the task that works on the todo it serves as the todo's owner. */
export async function ownTodo(deps: TaskTodoDeps, task: Task): Promise<void> {
  if (task.todoID === null) return
  const owner = { agent: task.agent, sessionID: task.sessionID, taskID: task.id }
  await deps.todos.update(task.todoID, { owner }, origin(task)).catch(deps.onError)
}

/** Marks the todo that a completed task served as probably done; a person or the agent decides. */
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
