import { DocketError } from "../error.ts"
import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import { addTokens, noTokens } from "../message/token-usage.ts"
import type { PromptPart, Session, Task, TaskError, TaskLimits, TokenUsage, Turn } from "../schema/index.ts"
import type { SessionNotes } from "../session/notes.ts"
import type { Mutation, Store } from "../store/index.ts"
import { concludeTask } from "./conclude-task.ts"
import { limitReached, noLimits } from "./limits.ts"
import { createSlots } from "./slots.ts"
import { endedNotice, isEnded } from "./task-answers.ts"
import { ownTodo, proposeTodo, type TaskTodoDeps } from "./task-todo.ts"

export interface TasksDeps extends TaskTodoDeps {
  store: Store
  journal: Journal
  createID: CreateId
  notes: SessionNotes
  /** Queues a prompt; `mutations` commit together with its turn. */
  submit(session: Session, parts: PromptPart[], options: SubmitOptions): Promise<Turn>
  wait(turnID: string): Promise<Turn>
  /** Stops a session and everything under it. */
  stop(sessionID: string): Promise<void>
  isRunning(sessionID: string): boolean
  /** Where long answers of a session are kept. */
  outputDirectory(sessionID: string): Promise<string>
  /** Ends the isolation of a task that is about to end, if it has one. */
  finishWorktree(task: Task): Promise<Task>
}

export interface SubmitOptions {
  agent: string
  model: Task["model"] | null
  mutations?: Mutation[]
}

/** A task to start, with its child session not yet stored when `mutations` says so. */
export interface NewTask {
  parent: Session
  child: Session
  mutations: Mutation[]
  agent: string
  description: string
  prompt: string
  /** Parts before the prompt that Docket adds (the delegation context). */
  preamble: PromptPart[]
  model: Task["model"]
  mode: Task["mode"]
  call: { messageID: string; partID: string; callID: string } | null
  limits: TaskLimits
  concurrency: number
  outputSchema: Record<string, unknown> | null
  todoID: string | null
  worktree: Task["worktree"]
  treeLimits: Omit<TaskLimits, "wallClock">
}

/** The running and waiting tasks of this process. Their records are rows; this holds what rows cannot. */
export interface Tasks {
  /** Stores the task and queues it for a slot of its parent. */
  launch(request: NewTask): Promise<Task>
  /** The task as it is now. @throws task_not_found */
  get(id: string): Promise<Task>
  /** A task of `parent` by child session id, task id or number; null when there is none. */
  find(parent: Session, ref: string): Promise<Task | null>
  /** Resolves when the task has ended, or with its state of then after `waitMs`. */
  wait(id: string, options?: { waitMs?: number; signal?: AbortSignal }): Promise<Task>
  /** Resolves when the task has ended or was sent to the background. */
  released(id: string): Promise<Task>
  cancel(id: string): Promise<Task>
  message(id: string, text: string, from: string): Promise<Task>
  background(id: string): Promise<Task>
  /** The end has reached the parent this way: nothing more is sent. */
  delivered(id: string, how: "result" | "poll"): Promise<void>
  /** Adds what a step used to the tasks of the session and those above it. */
  recordStep(session: Session, used: { tokens: TokenUsage; cost: number; toolCalls: number }): void
  /** Why a session may not go on. */
  limitOf(session: Session): TaskError | null
  /** Cancels tasks that these sessions started: they are being stopped. */
  stopUnder(parentIDs: string[]): Promise<void>
  /** A turn of the session has ended: tells it of background tasks that ended meanwhile. */
  turnEnded(sessionID: string): Promise<void>
  /** Marks what a crash left open and tells parents once. Call before any turn runs. */
  recover(): Promise<void>
  /** Whether the task waits for a slot. */
  isWaiting(id: string): boolean
  /** Resolves when no task of or in these sessions is open. */
  ended(sessionIDs: string[]): Promise<void>
  /** The running task of a child session. */
  ofChild(sessionID: string): Task | null
}

interface Live {
  task: Task
  child: Session
  request: NewTask
  ended: PromiseWithResolvers<Task>
  released: PromiseWithResolvers<void>
  /** Why it is being ended from outside. */
  ending: { state: "cancelled" | "timed_out" | "failed"; error: TaskError } | null
  timer: NodeJS.Timeout | null
}

/** Ended background tasks of one parent that end within this time (ms) are told in one turn. */
const gatherMs = 50

export function createTasks(deps: TasksDeps): Tasks {
  const live = new Map<string, Live>()
  const byChild = new Map<string, Live>()
  const slots = createSlots()
  const numbers = new Map<string, Promise<number>>()
  const treeUsage = new Map<string, Task["usage"]>()
  const notifying = new Map<string, Promise<void>>()
  const telling = new Map<string, Promise<void>>()

  const nextNumber = async (rootID: string): Promise<number> => {
    const last = numbers.get(rootID) ?? deps.store.task.lastNumber(rootID)
    const next = last.then((number) => number + 1)
    numbers.set(rootID, next)
    return next
  }
  const put = async (entry: Live, change: Partial<Task>, more: Mutation[] = []): Promise<Task> => {
    entry.task = { ...entry.task, ...change }
    await deps.journal.commit(entry.task.rootID, [...more, { kind: "task", value: entry.task }])
    return entry.task
  }
  const entryOf = (id: string): Live | undefined => live.get(id)
  const get = async (id: string): Promise<Task> => {
    const task = entryOf(id)?.task ?? (await deps.store.task.get(id))
    if (task === null) throw new DocketError("task_not_found", `There is no task ${id}.`)
    return task
  }

  const run = async (entry: Live): Promise<void> => {
    const { request, child } = entry
    await slots.take(entry.task.parentID, entry.task.id, request.concurrency)
    if (isEnded(entry.task)) return slots.release(entry.task.parentID)
    try {
      const started = deps.clock()
      const { wallClock } = entry.task.limits
      const deadline = wallClock === null ? null : started + wallClock
      if (wallClock !== null) entry.timer = setTimeout(() => expire(entry), wallClock)
      await put(entry, { state: "running", deadline, time: { ...entry.task.time, started } })
      await ownTodo(deps, entry.task)
      const ended = await prompt(entry, [...request.preamble, { type: "text", text: request.prompt }])
      const concluded = await concludeTask(
        { ...deps, again: (text) => prompt(entry, [{ type: "text", text, synthetic: true }]) },
        { task: entry.task, child, turn: ended, ending: entry.ending },
      )
      await end(entry, concluded)
    } catch (error) {
      deps.onError(error)
      const message = error instanceof Error ? error.message : String(error)
      await end(entry, { state: "failed", error: { type: "UnknownError", message } })
    } finally {
      slots.release(entry.task.parentID)
    }
  }
  const prompt = async (entry: Live, parts: PromptPart[]): Promise<Turn> => {
    const turn = await deps.submit(entry.child, parts, { agent: entry.task.agent, model: entry.task.model })
    entry.task = { ...entry.task, turnID: turn.id }
    // Ended before its prompt was queued: what is queued now must not run.
    if (entry.ending !== null) void deps.stop(entry.child.id).catch(deps.onError)
    return deps.wait(turn.id)
  }
  const expire = (entry: Live) => {
    const message = `The task reached its time limit of ${entry.task.limits.wallClock} ms.`
    entry.ending ??= { state: "timed_out", error: { type: "limit_reached", message } }
    void deps.stop(entry.child.id).catch(deps.onError)
  }
  /** The one place where a task reaches a terminal state. */
  const end = async (entry: Live, change: Partial<Task> & { state: Task["state"] }): Promise<Task> => {
    if (isEnded(entry.task)) return entry.task
    if (entry.timer !== null) clearTimeout(entry.timer)
    const ended = { ...change, time: { ...entry.task.time, ended: deps.clock() } }
    // Set at once: a second end must find it ended.
    entry.task = { ...entry.task, ...ended }
    const finished = await deps.finishWorktree(entry.task).catch((error) => {
      deps.onError(error)
      return entry.task
    })
    const task = await put(entry, finished)
    await proposeTodo(deps, task)
    live.delete(task.id)
    if (byChild.get(task.sessionID) === entry) byChild.delete(task.sessionID)
    entry.ended.resolve(task)
    entry.released.resolve()
    if (task.mode === "background") void notify(task.parentID).catch(deps.onError)
    return task
  }

  // One after another for each parent: two at once would tell the same end twice.
  const tell = (parentID: string): Promise<void> => {
    const before = telling.get(parentID) ?? Promise.resolve()
    const after = before.then(() => tellParent(deps, parentID, (sessionID) => byChild.has(sessionID)))
    const settled = after.catch(() => {})
    telling.set(parentID, settled)
    void settled.then(() => {
      if (telling.get(parentID) === settled) telling.delete(parentID)
    })
    return after
  }
  const notify = (parentID: string): Promise<void> => {
    const known = notifying.get(parentID)
    if (known !== undefined) return known
    const sending = (async () => {
      await new Promise((resolve) => setTimeout(resolve, gatherMs))
      notifying.delete(parentID)
      if (!deps.isRunning(parentID)) await tell(parentID)
    })()
    notifying.set(parentID, sending)
    return sending
  }

  const cancelEntry = async (entry: Live, why: string): Promise<Task> => {
    const error = { type: "cancelled", message: why }
    entry.ending ??= { state: "cancelled", error }
    if (entry.task.state === "queued" && slots.leave(entry.task.parentID, entry.task.id)) {
      return end(entry, { state: "cancelled", error })
    }
    await deps.stop(entry.child.id)
    return entry.ended.promise
  }
  /** The tasks of the session and of the sessions above it, nearest first. */
  const chain = (session: Session): Live[] => {
    const found: Live[] = []
    let entry = byChild.get(session.id)
    while (entry !== undefined) {
      found.push(entry)
      entry = byChild.get(entry.task.parentID)
    }
    return found
  }

  return {
    async launch(request) {
      const { parent, child } = request
      const task: Task = {
        id: deps.createID("task"),
        number: await nextNumber(parent.rootID),
        rootID: parent.rootID,
        parentID: parent.id,
        sessionID: child.id,
        messageID: request.call?.messageID ?? null,
        partID: request.call?.partID ?? null,
        callID: request.call?.callID ?? null,
        turnID: null,
        agent: request.agent,
        description: request.description,
        prompt: request.prompt,
        model: request.model,
        mode: request.mode,
        state: "queued",
        result: null,
        resultPath: null,
        outputSchema: request.outputSchema,
        output: null,
        error: null,
        usage: { tokens: noTokens, cost: 0, toolCalls: 0 },
        limits: request.limits,
        deadline: null,
        todoID: request.todoID,
        worktree: request.worktree,
        delivered: "no",
        time: { created: deps.clock(), started: null, ended: null },
      }
      const ended = Promise.withResolvers<Task>()
      const entry: Live = { task, child, request, ended, released: Promise.withResolvers(), ending: null, timer: null }
      live.set(task.id, entry)
      byChild.set(child.id, entry)
      try {
        await put(entry, {}, request.mutations)
      } catch (error) {
        live.delete(task.id)
        byChild.delete(child.id)
        throw error
      }
      void run(entry).catch(deps.onError)
      return entry.task
    },
    get,
    async find(parent, ref) {
      const number = /^#?(\d+)$/.exec(ref.trim())?.[1]
      const task =
        number !== undefined
          ? await deps.store.task.byNumber(parent.rootID, Number(number))
          : ref.startsWith("tsk_")
            ? await deps.store.task.get(ref)
            : await deps.store.task.byChild(ref)
      if (task === null || task.parentID !== parent.id) return null
      return entryOf(task.id)?.task ?? task
    },
    async wait(id, { waitMs, signal } = {}) {
      const entry = entryOf(id)
      if (entry === undefined) return get(id)
      if (waitMs === 0) return entry.task
      const ended = entry.ended.promise
      if (waitMs === undefined && signal === undefined) return ended
      return Promise.race([ended, timeLimit(waitMs, signal).then(() => entry.task)])
    },
    async released(id) {
      await entryOf(id)?.released.promise
      return get(id)
    },
    async cancel(id) {
      const entry = entryOf(id)
      return entry === undefined ? get(id) : cancelEntry(entry, "The task was cancelled.")
    },
    async message(id, text, from) {
      const entry = entryOf(id)
      if (entry === undefined) throw await endedError(await get(id))
      deps.notes.add(entry.child.id, `Message from ${from}:\n${text}`)
      return entry.task
    },
    async background(id) {
      const entry = entryOf(id)
      if (entry === undefined) throw await endedError(await get(id))
      const task = await put(entry, { mode: "background" })
      entry.released.resolve()
      return task
    },
    async delivered(id, how) {
      const task = await get(id)
      if (task.delivered !== "no" || !isEnded(task)) return
      await deps.journal.commit(task.rootID, [{ kind: "task", value: { ...task, delivered: how } }])
    },
    recordStep(session, used) {
      const entries = chain(session)
      for (const entry of entries) entry.task = { ...entry.task, usage: addUsage(entry.task.usage, used) }
      if (entries.length > 0) {
        const total = treeUsage.get(session.rootID) ?? { tokens: noTokens, cost: 0, toolCalls: 0 }
        treeUsage.set(session.rootID, addUsage(total, used))
      }
      const mutations = entries.map((entry): Mutation => ({ kind: "task", value: entry.task }))
      if (mutations.length > 0) deps.journal.commit(session.rootID, mutations).catch(deps.onError)
    },
    limitOf(session) {
      const entries = chain(session)
      for (const entry of entries) {
        const reached = limitReached(entry.task.usage, entry.task.limits, `Task #${entry.task.number}`)
        if (reached !== null) return reached
      }
      const total = treeUsage.get(session.rootID)
      const limits = entries.at(-1)?.request.treeLimits ?? noLimits
      return total === undefined ? null : limitReached(total, limits, "The tree's tasks together")
    },
    async stopUnder(parentIDs) {
      const ids = new Set(parentIDs)
      const entries = [...live.values()].filter((entry) => ids.has(entry.task.parentID) || ids.has(entry.child.id))
      for (const entry of entries) {
        const error = { type: "cancelled", message: "The user stopped the work." }
        entry.ending ??= { state: "cancelled", error }
        // Nobody waits for its end: the parent was stopped with it.
        if (ids.has(entry.task.parentID)) entry.task = { ...entry.task, delivered: "result" }
        if (entry.task.state === "queued" && slots.leave(entry.task.parentID, entry.task.id)) {
          await end(entry, { state: "cancelled", error })
        }
      }
    },
    turnEnded: tell,
    async recover() {
      const open = await deps.store.task.open()
      for (const task of open) {
        const error = { type: "interrupted", message: "Docket was stopped while the task was open." }
        const time = { ...task.time, ended: deps.clock() }
        const value: Task = { ...task, state: "interrupted", error, time }
        await deps.journal.commit(task.rootID, [{ kind: "task", value }])
      }
      const parents = new Set(open.filter((task) => task.mode === "background").map((task) => task.parentID))
      for (const parentID of parents) await tell(parentID)
    },
    isWaiting(id) {
      const entry = entryOf(id)
      return entry !== undefined && slots.isWaiting(entry.task.parentID, id)
    },
    async ended(sessionIDs) {
      const ids = new Set(sessionIDs)
      const open = [...live.values()].filter((entry) => ids.has(entry.task.parentID) || ids.has(entry.child.id))
      await Promise.all(open.map((entry) => entry.ended.promise))
    },
    ofChild: (sessionID) => byChild.get(sessionID)?.task ?? null,
  }
}

/**
 * Tells a session in one synthetic turn of its background tasks that ended and that no poll has fetched.
 * Notices for a child that has ended itself go to the root: nobody would read them there.
 */
async function tellParent(deps: TasksDeps, parentID: string, isWorking: (sessionID: string) => boolean): Promise<void> {
  const parent = await deps.store.session.get(parentID)
  if (parent === null) return
  const summaries = await deps.store.task.tree(parent.rootID)
  const ids = summaries.filter(
    (task) => task.parentID === parentID && task.mode === "background" && task.delivered === "no" && isEnded(task),
  )
  if (ids.length === 0) return
  const tasks = (await Promise.all(ids.map((task) => deps.store.task.get(task.id)))).filter((task) => task !== null)
  const target = parent.parentID === null || isWorking(parent.id) ? parent : await deps.store.session.get(parent.rootID)
  if (target === null) return
  const mutations = tasks.map((task): Mutation => ({ kind: "task", value: { ...task, delivered: "turn" } }))
  const parts: PromptPart[] = [{ type: "text", text: endedNotice(tasks), synthetic: true }]
  await deps.submit(target, parts, { agent: target.agent, model: target.model, mutations })
}

function addUsage(usage: Task["usage"], used: Task["usage"]): Task["usage"] {
  return {
    tokens: addTokens(usage.tokens, used.tokens),
    cost: usage.cost + used.cost,
    toolCalls: usage.toolCalls + used.toolCalls,
  }
}

async function endedError(task: Task): Promise<DocketError> {
  return new DocketError(
    "task_ended",
    `Task #${task.number} has ended (${task.state}). Start a new one, or resume its session with task_id.`,
  )
}

/** Resolves after `ms`, or rejects when the signal aborts. */
function timeLimit(ms: number | undefined, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = ms === undefined ? null : setTimeout(resolve, ms)
    timer?.unref()
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
  })
}
