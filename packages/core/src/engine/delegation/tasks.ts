import { setTimeout as delay } from "node:timers/promises"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { orAborted } from "../../ground/concurrency/or-aborted.ts"
import { pause } from "../../ground/concurrency/pause.ts"
import { DocketError, StaleTurnError } from "../../ground/error/docket-error.ts"
import { isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type {
  Caller,
  Session,
  SessionNote,
  Speaker,
  Task,
  TaskError,
  TaskSummary,
  Turn,
} from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { CountedTime } from "../loop/counted-time.ts"
import type { Hooks } from "../loop/hooks.ts"
import { notesRead } from "../loop/session-notes.ts"
import { isEndOfProcess, LimitReached, PersonGone, StoppedByUser, stoppedBy } from "../loop/stop-reason.ts"
import type { TreeTasks } from "../turn/stop-turns.ts"
import type { WaitingTurns } from "../turn/waiting-turns.ts"
import {
  createLiveTasks,
  createSlots,
  createTaskRecords,
  type LiveTask,
  type LiveTasks,
  type NewTask,
  type TasksDeps,
} from "./live-tasks.ts"
import { interruptOpen, keepWaiting, restoreHeld } from "./recover-tasks.ts"
import { createTaskNotices } from "./task-answers.ts"
import { countWaits, createTaskClock, createTaskRunner, type TaskParts } from "./task-runner.ts"
import {
  addTaskUsage,
  configuredTreeLimits,
  limitReached,
  noTaskUsage,
  type OnTimeUp,
  type TreeBudgets,
} from "./tree-budgets.ts"

/** The running and waiting tasks of this process, with the state that their rows cannot hold. */
export interface Tasks extends TaskUsage, TreeTasks {
  /**
   * Stores a task under the next number of the tree and queues it for a slot of its parent. It waits until earlier
   * launches in the tree are stored or have failed, so that numbers follow the order of the calls without gaps.
   */
  launch(rootID: string, prepare: () => Promise<NewTask>): Promise<Task>
  /** The task as it is now. @throws task_not_found */
  get(id: string): Promise<Task>
  /** A task of `parent` by child session id, task id or number; null when there is none. */
  find(parent: Session, ref: string): Promise<Task | null>
  /** Resolves when the task has ended, or with its current state after `waitMs`. */
  wait(id: string, options?: { waitMs?: number; signal?: AbortSignal }): Promise<Task>
  /** Resolves when the task has ended or was sent to the background. */
  released(id: string): Promise<Task>
  /** `by` is the user who asked for it, if any. */
  cancel(id: string, by?: Caller): Promise<Task>
  /**
   * Cancels a task whose waiting call was stopped for this reason. A finished task continues to wait for its review
   * when the process ends or the user for whom it works has left.
   */
  giveUp(id: string, reason: unknown): Promise<Task>
  /** Gives a working task a message. @throws task_ended when the task reads no more messages */
  message(id: string, text: string, from: Speaker): Promise<Task>
  /** Adds a note to a working task, stored together with `more`. False, and nothing stored, if nobody reads it. */
  note(id: string, note: Omit<SessionNote, "id">, more: Mutation[]): Promise<boolean>
  /** Sends a blocking task to the background: its call no longer waits. @throws task_ended */
  background(id: string): Promise<Task>
  /** Records that a user acted on the task. */
  actedOn(id: string, by: Caller): Promise<Task>
  /** The parent has received the end this way: no report is sent. */
  delivered(id: string, how: "result" | "poll"): Promise<void>
  /** Ends all open tasks of the tree for this reason, with their findings so far; resolves with their number. */
  endTree(rootID: string, error: TaskError): Promise<number>
  /** Open tasks for these people that run or wait for a slot. */
  workFor(people: ReadonlySet<string>): Task[]
  /**
   * Ends the tasks of these people without a report to their parents, so that nothing continues because of them. The
   * caller stops their turns. Returns the ends of the tasks.
   */
  stopFor(people: ReadonlySet<string>, reason: PersonGone): Promise<Promise<Task>[]>
  /** A turn of the session has ended: reports background tasks that ended meanwhile. */
  turnEnded(sessionID: string): Promise<void>
  /** Another runtime has stored this state of a task: it may have sent the task to the background. */
  notified(task: TaskSummary): void
  /**
   * Ends tasks that a crash left open: they were interrupted at `diedAt` (epoch ms; null for now). Those with an id in
   * `waiting` stay open. `isOrphaned` tells whether a task belongs to no living process. Call it before any of their
   * turns runs. Resolves with the child sessions.
   */
  recover(
    isOrphaned: (task: Task) => boolean,
    crash: { diedAt: number | null; waiting: ReadonlySet<string> },
  ): Promise<string[]>
  /**
   * Takes over the tasks of turns that have waited for a person since before the process started; it died at `diedAt`.
   * Call the function that it resolves with once their turns are taken over.
   */
  keepWaiting(waiting: Pick<WaitingTurns, "tasks" | "requests" | "turns">, diedAt: number | null): Promise<() => void>
  /** The process ends and another continues these tasks: this process stores nothing more of them. */
  leave(ids: ReadonlySet<string>): void
  /** Another process has the tree: this one forgets its tasks and stores nothing more of them. Returns their sessions. */
  lose(rootID: string): string[]
  /** The open task that a tool call started, by the id of its part. */
  ofCall(partID: string): Task | null
  /** Holds tasks for their review again after a restart. Their parents are notified when they end. */
  restore(isOrphaned: (task: Task) => boolean): Promise<void>
  /**
   * Reports tasks that ended before the process started and were not reported. Parents in `resumed`, whose turns
   * continue, are notified when these turns end.
   */
  tellRecovered(resumed: ReadonlySet<string>, isOrphaned: (task: Task) => boolean): Promise<void>
  /** Whether the task waits for a slot. */
  isWaiting(id: string): boolean
  /** The running task of a child session. */
  ofChild(sessionID: string): Task | null
}

export function createTasks(deps: TasksDeps): Tasks {
  const live = createLiveTasks(deps.store)
  const slots = createSlots()
  const notices = createTaskNotices(deps)
  const records = createTaskRecords({ ...deps, live, notices })
  deps.bus.subscribe((event) => {
    if (event.type === "review.verdict.updated") live.byID(event.properties.verdict.taskID)?.wake?.()
  })
  const treeTasks = createTreeTasks({ live, slots, records })
  const stop = async (sessionID: string, reason?: LimitReached | StoppedByUser) => {
    await deps.abort(treeTasks, sessionID, reason)
  }
  const taskClock = createTaskClock({ ...deps, stop })
  const waits = countWaits({ ...deps, live, records, taskClock })
  const runner = createTaskRunner({ ...deps, live, slots, records, taskClock, stop })
  const own: TaskParts = { ...deps, live, slots, records, stop, runner }
  const cancelTask = async (id: string, by?: Caller): Promise<Task> => {
    const reason = new StoppedByUser(by)
    const entry = live.byID(id)
    if (entry !== undefined) return cancel(own, entry, reason)
    const task = await live.get(id)
    if (!isElsewhere(own, task)) return task
    await stop(task.sessionID, reason)
    return endedElsewhere(own, id)
  }
  const sendToBackground = async (id: string): Promise<Task> => {
    const entry = live.byID(id)
    if (entry === undefined) return backgroundElsewhere(own, await live.get(id))
    if (isEnded(entry.task)) throw endedError(entry.task)
    const task = await own.records.put(entry, { mode: "background" })
    entry.released.resolve()
    return task
  }
  return {
    ...createTaskUsage({ ...deps, live }),
    ...createTaskReads(own),
    ...treeTasks,
    launch: createLaunch(own),
    cancel: cancelTask,
    leave(ids) {
      for (const id of ids) {
        const entry = live.byID(id)
        if (entry !== undefined) entry.isHandedOver = true
      }
    },
    lose(rootID) {
      const lost = live.inTree(rootID)
      for (const entry of lost) {
        entry.isHandedOver = true
        leaveQueue(own, entry)
        own.records.end(entry, { state: entry.task.state }).catch(deps.onError)
      }
      return lost.map(({ task }) => task.sessionID)
    },
    giveUp(id, reason) {
      const entry = live.byID(id)
      // Another process has the tree with everything that runs in it.
      if (entry !== undefined && reason instanceof StaleTurnError) entry.isHandedOver = true
      if (entry?.isHandedOver) return own.records.end(entry, { state: entry.task.state })
      const isInReview = entry?.task.state === "awaiting_review"
      // The caller of `stopFor` stops its turns, unless it was launched only afterwards.
      if (entry?.ending && reason instanceof PersonGone) return entry.ended.promise
      return isInReview && (isEndOfProcess(reason) || reason instanceof PersonGone)
        ? sendToBackground(id)
        : cancelTask(id, stoppedBy(reason).by)
    },
    ...createTaskMessages(own),
    background: sendToBackground,
    async delivered(id, how) {
      const task = await live.get(id)
      if (task.delivered !== "no" || !isEnded(task)) return
      const value: Task = { ...task, delivered: how }
      const entry = live.byID(id)
      if (entry !== undefined) entry.task = value
      await deps.journal.commit(task.rootID, [{ kind: "task", value }])
    },
    async actedOn(id, by) {
      const entry = live.byID(id)
      const value: Task = { ...(entry?.task ?? (await live.get(id))), by }
      if (entry !== undefined) entry.task = value
      await deps.journal.commit(value.rootID, [{ kind: "task", value }])
      return value
    },
    endTree: (rootID, error) => endTree(own, rootID, error),
    notified({ id, mode, state }) {
      const entry = live.byID(id)
      if (entry === undefined || mode !== "background" || entry.task.mode === mode || isEnded({ state })) return
      entry.task = { ...entry.task, mode }
      entry.released.resolve()
    },
    workFor: (people) => live.workingFor(people).map(({ task }) => task),
    stopFor: (people, reason) => stopFor(own, people, reason),
    turnEnded: notices.now,
    recover: (isOrphaned, crash) => interruptOpen(deps, isOrphaned, crash),
    keepWaiting: (waiting, diedAt) => keepWaiting({ ...own, taskClock, waits }, waiting, diedAt),
    ofCall: (partID) => live.byCall(partID)?.task ?? null,
    restore: (isOrphaned) => restoreHeld(own, isOrphaned),
    async tellRecovered(resumed, isOrphaned) {
      // Includes tasks that ended by themselves just before the crash.
      const undelivered = (await deps.store.task.undelivered()).filter(isOrphaned)
      const parents = new Set(undelivered.map((task) => task.parentID))
      for (const parentID of parents) if (!resumed.has(parentID)) await notices.now(parentID)
    },
  }
}

type LaunchDeps = Pick<
  TaskParts,
  "live" | "records" | "runner" | "store" | "journal" | "finalWrites" | "createID" | "clock" | "onError"
>

function createLaunch(own: LaunchDeps): Tasks["launch"] {
  const inOrder = createKeyedQueue()
  const start = async (request: NewTask): Promise<Task> => {
    const working = own.live.byChild(request.child.id)
    if (working !== undefined) throw stillWorking(working.task)
    const task = newTask(own, request)
    const entry = own.live.add(task, request)
    try {
      await own.records.putNew(entry, request.mutations)
    } catch (error) {
      own.live.remove(entry)
      if (!isRefusal(error)) void failUnstarted(own, task).catch(() => {})
      throw error
    }
    own.runner.run(entry).catch(own.onError)
    return entry.task
  }
  return (rootID, prepare) => inOrder(rootID, async () => start(await prepare()))
}

/** A launch that seemed to fail may be stored. Nothing runs that task, so it is ended as failed. */
function failUnstarted(
  { store, journal, finalWrites, clock }: Pick<TaskParts, "store" | "journal" | "finalWrites" | "clock">,
  { id, rootID }: Task,
): Promise<void> {
  return finalWrites.store({ rootID }, async () => {
    const row = await store.task.get(id)
    if (row === null || isEnded(row)) return
    const error = { type: "UnknownError", message: "The task could not be started: the database did not answer." }
    const value: Task = { ...row, state: "failed", error, delivered: "result", time: { ...row.time, ended: clock() } }
    await journal.commit(rootID, [{ kind: "task", value }])
  })
}

function newTask(deps: Pick<TasksDeps, "createID" | "clock">, request: NewTask): Task {
  const { agent, description, prompt, command, model, mode, limits, outputSchema, todoID, worktree, review, cause } =
    request
  return {
    id: deps.createID("task"),
    number: 0,
    rootID: request.parent.rootID,
    parentID: request.parent.id,
    sessionID: request.child.id,
    messageID: request.call?.messageID ?? null,
    partID: request.call?.partID ?? null,
    callID: request.call?.callID ?? null,
    turnID: null,
    agent,
    description,
    prompt,
    ...(command !== null && { command }),
    model,
    mode,
    state: "queued",
    result: null,
    resultPath: null,
    outputSchema,
    output: null,
    error: null,
    usage: noTaskUsage,
    limits,
    deadline: null,
    todoID,
    worktree,
    ...(review !== undefined && { review }),
    ...(cause !== undefined && { cause }),
    delivered: request.isCollected ? "poll" : "no",
    time: { created: deps.clock(), started: null, ended: null },
  }
}

function stillWorking(task: Task): DocketError {
  const words = `Task #${task.number} still works in this session. Wait for its end, or give it a message with task_message.`
  return new DocketError("invalid_input", words)
}

/** Ends a queued or running task for this reason. */
async function cancel(
  own: Pick<TaskParts, "records" | "slots" | "stop">,
  entry: LiveTask,
  reason: StoppedByUser,
): Promise<Task> {
  const error = { type: "cancelled", message: "The task was cancelled.", ...stoppedBy(reason) }
  markEnding(entry, { state: "cancelled", error })
  if (leaveQueue(own, entry)) return own.records.end(entry, { state: "cancelled", error })
  await own.stop(entry.child.id, reason)
  return entry.ended.promise
}

/** Ends all open tasks of a tree; resolves with how many, once they have ended. */
async function endTree(
  own: Pick<TaskParts, "live" | "records" | "slots" | "stop" | "onError">,
  rootID: string,
  error: TaskError,
): Promise<number> {
  const open = own.live.inTree(rootID)
  for (const entry of open) markEnding(entry, { state: "timed_out", error })
  for (const entry of open) {
    // A task under another task ends with it.
    if (own.live.byChild(entry.task.parentID) !== undefined) continue
    if (leaveQueue(own, entry)) await own.records.end(entry, { state: "timed_out", error })
    else own.stop(entry.child.id, new LimitReached(error.message)).catch(own.onError)
  }
  await Promise.all(open.map((entry) => entry.ended.promise))
  return open.length
}

/** See `Tasks.stopFor`. */
async function stopFor(
  own: Pick<TaskParts, "live" | "records" | "slots">,
  people: ReadonlySet<string>,
  reason: PersonGone,
): Promise<Promise<Task>[]> {
  const open = own.live.workingFor(people)
  const error = {
    type: "cancelled",
    message: "The person it worked for has left the workspace.",
    ...stoppedBy(reason),
  }
  for (const entry of open) {
    entry.task = { ...entry.task, delivered: "result" }
    markEnding(entry, { state: "cancelled", error })
    if (leaveQueue(own, entry)) await own.records.end(entry, { state: "cancelled", error })
  }
  // Wrapped in an array, so that `await` does not wait for the ends: the caller must stop their turns first.
  return open.map((entry) => entry.ended.promise)
}

/** Sets why a task ends; the first reason counts. Wakes a task that is held for a review. */
function markEnding(entry: LiveTask, ending: NonNullable<LiveTask["ending"]>): void {
  entry.ending ??= ending
  entry.wake?.()
}

/** Removes a waiting task from the queue; false when it already runs. */
function leaveQueue({ slots }: Pick<TaskParts, "slots">, { task }: LiveTask): boolean {
  return task.state === "queued" && slots.leave(task.parentID, task.id)
}

type TreeTasksDeps = Pick<TaskParts, "live" | "slots" | "records">

function createTreeTasks(own: TreeTasksDeps): TreeTasks {
  return {
    stopUnder: (sessionIDs, reason) => stopUnder(own, sessionIDs, reason),
    async ended(sessionIDs) {
      await Promise.all(own.live.around(sessionIDs).map((entry) => entry.ended.promise))
    },
  }
}

async function stopUnder(own: TreeTasksDeps, sessionIDs: string[], reason: Error): Promise<void> {
  const message =
    reason instanceof LimitReached ? `Stopped with the work above it: ${reason.message}` : "The user stopped the work."
  const stopped = new Set(sessionIDs)
  for (const entry of own.live.around(sessionIDs)) {
    const error = { type: "cancelled", message, ...stoppedBy(reason) }
    markEnding(entry, { state: "cancelled", error })
    // The parent was stopped too, so nobody waits for this end.
    if (stopped.has(entry.task.parentID)) entry.task = { ...entry.task, delivered: "result" }
    if (leaveQueue(own, entry)) await own.records.end(entry, { state: "cancelled", error })
  }
}

/** Sends messages to working tasks, in this or another runtime. */
function createTaskMessages(
  deps: Pick<TaskParts, "live" | "notes" | "journal" | "isShared">,
): Pick<Tasks, "message" | "note"> {
  /** Whether nobody would read a message: the last step has ended, or no runtime works on the task. */
  const readsNoMore = (entry: LiveTask | undefined, task: Task) =>
    entry === undefined ? !isElsewhere(deps, task) : entry.closed
  return {
    async message(id, text, from) {
      const entry = deps.live.byID(id)
      const task = entry?.task ?? (await deps.live.get(id))
      if (readsNoMore(entry, task)) throw endedError(task)
      const child = { id: task.sessionID, rootID: task.rootID }
      const tell = entry === undefined ? deps.notes.leave : deps.notes.add
      await tell(child, messageNote(text, from))
      // The last step ended while the message was stored.
      if (entry?.closed && deps.notes.has(task.sessionID)) {
        const unread = await deps.notes.take(task.sessionID, "loud")
        await deps.journal.commit(task.rootID, notesRead(task.sessionID, unread))
        throw endedError(entry.task)
      }
      entry?.wake?.()
      return task
    },
    async note(id, note, more) {
      const entry = deps.live.byID(id)
      const task = entry?.task ?? (await deps.live.get(id))
      if (readsNoMore(entry, task)) return false
      const child = { id: task.sessionID, rootID: task.rootID }
      await (entry === undefined ? deps.notes.leave : deps.notes.add)(child, note, more)
      entry?.wake?.()
      return true
    },
  }
}

/** A message to an agent that works. */
function messageNote(text: string, from: Speaker): Omit<SessionNote, "id"> {
  const who = from.kind === "person" ? "the user" : `the agent ${from.name} that delegated this`
  return { text: `Message from ${who}:\n${text}`, notice: { kind: "message", from, text } }
}

function createTaskReads(
  own: Pick<TaskParts, "store" | "live" | "slots" | "isShared">,
): Pick<Tasks, "get" | "find" | "wait" | "released" | "isWaiting" | "ofChild"> {
  const { store, live, slots } = own
  return {
    get: live.get,
    async find(parent, ref) {
      const number = /^#?(\d+)$/.exec(ref.trim())?.[1]
      const task =
        number !== undefined
          ? await store.task.byNumber(parent.rootID, Number(number))
          : ref.startsWith("tsk_")
            ? await store.task.get(ref)
            : await store.task.byChild(ref)
      if (task === null || task.parentID !== parent.id) return null
      return live.byID(task.id)?.task ?? task
    },
    async wait(id, { waitMs, signal } = {}) {
      const entry = live.byID(id)
      if (entry === undefined) {
        const task = await live.get(id)
        return waitMs !== 0 && isElsewhere(own, task) ? endedElsewhere(own, id, { waitMs, signal }) : task
      }
      if (waitMs === 0) return entry.task
      const ended = entry.ended.promise
      if (waitMs === undefined && signal === undefined) return ended
      const limited = waitMs === undefined ? ended : within(ended, waitMs, () => entry.task)
      return signal === undefined ? limited : orAborted(limited, signal)
    },
    async released(id) {
      const entry = live.byID(id)
      await entry?.released.promise
      return entry?.task ?? live.get(id)
    },
    isWaiting(id) {
      const entry = live.byID(id)
      return entry !== undefined && slots.isWaiting(entry.task.parentID, id)
    },
    ofChild: (sessionID) => live.byChild(sessionID)?.task ?? null,
  }
}

/** The result of `working`, or of `instead` after `ms`. The timer does not keep the process alive. */
async function within<T>(working: Promise<T>, ms: number, instead: () => T): Promise<T> {
  const over = new AbortController()
  try {
    return await Promise.race([working, delay(ms, undefined, { signal: over.signal, ref: false }).then(instead)])
  } finally {
    over.abort()
  }
}

/** How often the row of another runtime's task is read (ms). */
const lookMs = 100

interface ElsewhereDeps {
  live: LiveTasks
  journal: Journal
  /** Whether other runtimes on the same store may run tasks too. */
  isShared: boolean
}

/** Whether the task runs in another runtime. */
function isElsewhere({ isShared, live }: Pick<ElsewhereDeps, "isShared" | "live">, task: Task): boolean {
  return isShared && !isEnded(task) && live.byID(task.id) === undefined
}

/** The task once it has ended in the other runtime, or its state after `waitMs`. */
async function endedElsewhere(
  { live }: Pick<ElsewhereDeps, "live">,
  id: string,
  {
    waitMs,
    signal = new AbortController().signal,
  }: { waitMs?: number | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Task> {
  const until = performance.now() + (waitMs ?? Number.POSITIVE_INFINITY)
  for (let task = await live.get(id); ; task = await live.get(id)) {
    if (isEnded(task) || performance.now() >= until) return task
    await pause(lookMs, signal)
    signal.throwIfAborted()
  }
}

/** Sends a task of another runtime to the background. @throws task_ended */
async function backgroundElsewhere(deps: ElsewhereDeps, task: Task): Promise<Task> {
  if (!isElsewhere(deps, task)) throw endedError(task)
  const value: Task = { ...task, mode: "background" }
  await deps.journal.commit(task.rootID, [{ kind: "task", value }])
  return value
}

/** The error for a message to a task that reads no more. */
function endedError(task: Task): DocketError {
  const end = isEnded(task) ? `has ended (${task.state})` : "is just ending"
  const words = `Task #${task.number} ${end}. Start a new one, or resume its session with task_id.`
  return new DocketError("task_ended", words)
}

/** Counts the usage of tasks against their limits. The usage of a child counts for every task above it. */
interface TaskUsage {
  /** A turn begins: its time counts for the tree until the work ends. A person's prompt restarts the tree's clock. */
  beginWork(turn: Turn, session: Session, options: { config: Config; onTimeUp: OnTimeUp }): Promise<CountedTime>
  recordStep(session: Session, used: Task["usage"]): void
  /** The limit that stops the session's next step, and how many tool calls the step may make. */
  allow: Hooks["stepLimit"]
  /** Restarts the clock of the tree, because a person wants it to continue. */
  restartClock(rootID: string): void
}

interface TaskUsageDeps {
  store: Pick<Store, "session">
  journal: Journal
  live: LiveTasks
  budgets: TreeBudgets
  onError(error: unknown): void
}

function createTaskUsage(deps: TaskUsageDeps): TaskUsage {
  const { live, budgets } = deps
  return {
    async beginWork(turn, session, { config, onTimeUp }) {
      const agent = session.parentID === null ? session.agent : (await deps.store.session.get(session.rootID))?.agent
      const limits = configuredTreeLimits(config, agent ?? session.agent)
      const fresh = isAsked(turn) && live.byChild(session.id) === undefined
      return budgets.begin(session.rootID, { limits, fresh, onTimeUp })
    },
    recordStep(session, used) {
      // A task that is still being stored has number 0. Only stored tasks are counted.
      const entries = live.chain(session.id).filter(({ task }) => task.number > 0)
      if (entries.length === 0) return
      for (const entry of entries) entry.task = { ...entry.task, usage: addTaskUsage(entry.task.usage, used) }
      const budget = budgets.record(session.rootID, used)
      const mutations = entries.map((entry): Mutation => ({ kind: "task", value: entry.task }))
      deps.journal.commit(session.rootID, [...mutations, ...budget.mutations]).catch((error) => {
        budget.failed(error)
        deps.onError(error)
      })
    },
    allow(session) {
      const above = live.chain(session.id).map((entry) => entry.task)
      return { limit: limitOf(budgets, session, above), calls: callsLeft(budgets, session, above) }
    },
    restartClock: budgets.restart,
  }
}

/** The reached limit of a session that works for these tasks, nearest first; null for none. */
function limitOf(budgets: TreeBudgets, { rootID }: Session, above: Task[]): TaskError | null {
  for (const task of above) {
    const reached = limitReached(task.usage, task.limits, `Task #${task.number} reached its`)
    if (reached !== null) return reached
  }
  return budgets.reached(rootID, above.length > 0 ? "all" : "time")
}

function callsLeft(budgets: TreeBudgets, { rootID }: Session, above: Task[]): number {
  if (above.length === 0) return Number.POSITIVE_INFINITY
  const left = above.map((task) => (task.limits.toolCalls ?? Number.POSITIVE_INFINITY) - task.usage.toolCalls)
  return Math.max(0, Math.min(...left, budgets.callsLeft(rootID)))
}

/**
 * Whether a person or a schedule asks for the turn now. A turn that has its message already continues after a crash: it
 * was asked for earlier.
 */
function isAsked({ messageID, input }: Turn): boolean {
  return messageID === null && input.parts.some((part) => part.type !== "text" || part.synthetic !== true)
}
