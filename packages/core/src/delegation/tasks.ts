import { setTimeout as delay } from "node:timers/promises"
import { createKeyedQueue } from "../concurrency/keyed-queue.ts"
import { orAborted } from "../concurrency/or-aborted.ts"
import { DocketError, StaleTurnError } from "../error/docket-error.ts"
import { isRefusal } from "../event/endings.ts"
import { notesRead } from "../loop/session-notes.ts"
import { isEndOfProcess, LimitReached } from "../loop/stop-reason.ts"
import type { Caller, Session, SessionNote, Speaker, Task, TaskError, TaskSummary } from "../schema/index.ts"
import type { Mutation } from "../store/index.ts"
import { isEnded } from "../store/task-ends.ts"
import type { TreeTasks } from "../turn/tree-work.ts"
import type { WaitingTurns } from "../turn/waiting-turns.ts"
import { kept } from "./conclude-task.ts"
import { countWaits } from "./count-waits.ts"
import { cutShort } from "./cut-short.ts"
import { keepWaiting } from "./keep-waiting.ts"
import { lastAnswer } from "./last-answer.ts"
import { nothing } from "./limits.ts"
import { createLiveTasks, type LiveTask, type LiveTasks } from "./live-tasks.ts"
import { type NewTask, requestOf } from "./new-task.ts"
import { createSlots, type Slots } from "./slots.ts"
import { failureAnswer } from "./task-answers.ts"
import { createTaskClock } from "./task-clock.ts"
import { createTaskNotices } from "./task-notices.ts"
import { createTaskRecords, type TaskRecords } from "./task-records.ts"
import { createTaskRunner, type TaskRunner } from "./task-runner.ts"
import { createTaskUsage, type TaskUsage } from "./task-usage.ts"
import type { TasksDeps } from "./tasks-deps.ts"
import { backgroundElsewhere, endedElsewhere, endedError, isElsewhere } from "./tasks-elsewhere.ts"

/** The running and waiting tasks of this process. Their records are rows; this holds what rows cannot. */
export interface Tasks extends TaskUsage, TreeTasks {
  /**
   * Stores a task with the tree's next number and queues it for a slot of its parent, once what was launched in the
   * tree before is stored or has failed: numbers follow the order of the calls, and what is no task takes none.
   */
  launch(rootID: string, prepare: () => Promise<NewTask>): Promise<Task>
  /** The task as it is now. @throws task_not_found */
  get(id: string): Promise<Task>
  /** A task of `parent` by child session id, task id or number; null when there is none. */
  find(parent: Session, ref: string): Promise<Task | null>
  /** Resolves when the task has ended, or with its state of then after `waitMs`. */
  wait(id: string, options?: { waitMs?: number; signal?: AbortSignal }): Promise<Task>
  /** Resolves when the task has ended or was sent to the background. */
  released(id: string): Promise<Task>
  cancel(id: string): Promise<Task>
  /** Whoever waited for it was stopped for this reason: cancels it, but one that is done goes on waiting for its review when the process ends. */
  giveUp(id: string, reason: unknown): Promise<Task>
  message(id: string, text: string, from: Speaker): Promise<Task>
  /** Gives a task that works a note, stored together with `more`. False, and nothing is stored, when nobody would read it. */
  note(id: string, note: Omit<SessionNote, "id">, more: Mutation[]): Promise<boolean>
  background(id: string): Promise<Task>
  /** A person did something with it. */
  actedOn(id: string, by: Caller): Promise<Task>
  /** The end has reached the parent this way: nothing more is sent. */
  delivered(id: string, how: "result" | "poll"): Promise<void>
  /** Ends all open tasks of the tree for this reason, with what they have found; resolves with how many. */
  endTree(rootID: string, error: TaskError): Promise<number>
  /** A turn of the session has ended: tells it of background tasks that ended meanwhile. */
  turnEnded(sessionID: string): Promise<void>
  /** A task as another runtime left it. */
  hear(task: TaskSummary): void
  /**
   * Marks what a crash left open, as ended at `diedAt` (epoch ms; null for now), but for the tasks `waiting`. Call before
   * any turn of them runs. Resolves with the child sessions.
   */
  recover(
    isLeft: (task: Task) => boolean,
    crash: { diedAt: number | null; waiting: ReadonlySet<string> },
  ): Promise<string[]>
  /**
   * Takes on the tasks of turns that wait for a person since before the process started; it died at `diedAt`. Call what it
   * resolves with once their turns are taken on.
   */
  keepWaiting(waiting: Pick<WaitingTurns, "tasks" | "requests" | "turns">, diedAt: number | null): Promise<() => void>
  /** The process ends, and another goes on with these: nothing more is stored of them here. */
  leave(ids: ReadonlySet<string>): void
  /** The open task that a call started, by its part. */
  ofCall(partID: string): Task | null
  /** Holds the tasks again that waited for a review. Whoever waited for them is told of their end. */
  restore(isLeft: (task: Task) => boolean): Promise<void>
  /**
   * Tells parents of what ended without their knowing before the process started. Those of `resumed` sessions, whose
   * turns go on, are told when these end.
   */
  tellRecovered(resumed: ReadonlySet<string>, isLeft: (task: Task) => boolean): Promise<void>
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
  const stop = async (sessionID: string, reason?: LimitReached) => {
    await deps.abort(treeTasks, sessionID, reason)
  }
  const taskClock = createTaskClock({ ...deps, stop })
  const waits = countWaits({ ...deps, live, records, taskClock })
  const runner = createTaskRunner({ ...deps, live, slots, records, taskClock, stop })
  const own: TaskDesk = { ...deps, live, slots, records, stop, runner }
  const cancelTask = async (id: string): Promise<Task> => {
    const entry = live.byID(id)
    if (entry !== undefined) return cancel(own, entry, "The task was cancelled.")
    const task = await live.get(id)
    if (!isElsewhere(own, task)) return task
    await stop(task.sessionID)
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
        if (entry !== undefined) entry.isLeft = true
      }
    },
    giveUp(id, reason) {
      const entry = live.byID(id)
      // Another process has the tree, with what works in it.
      if (entry !== undefined && reason instanceof StaleTurnError) entry.isLeft = true
      if (entry?.isLeft) return own.records.end(entry, { state: entry.task.state })
      const isHeld = entry?.task.state === "awaiting_review"
      return isHeld && isEndOfProcess(reason) ? sendToBackground(id) : cancelTask(id)
    },
    async message(id, text, from) {
      const entry = live.byID(id)
      const task = entry?.task ?? (await live.get(id))
      // Its last step is over: nobody would read it.
      if (entry?.closed || (entry === undefined && !isElsewhere(own, task))) throw endedError(task)
      const child = { id: task.sessionID, rootID: task.rootID }
      const tell = entry === undefined ? deps.notes.leave : deps.notes.add
      await tell(child, messageNote(text, from))
      // The last step ended while it was stored.
      if (entry?.closed && deps.notes.has(task.sessionID)) {
        const unread = await deps.notes.take(task.sessionID, "loud")
        await deps.journal.commit(task.rootID, notesRead(task.sessionID, unread))
        throw endedError(entry.task)
      }
      entry?.wake?.()
      return task
    },
    async note(id, note, more) {
      const entry = live.byID(id)
      const task = entry?.task ?? (await live.get(id))
      if (entry?.closed || (entry === undefined && !isElsewhere(own, task))) return false
      const child = { id: task.sessionID, rootID: task.rootID }
      await (entry === undefined ? deps.notes.leave : deps.notes.add)(child, note, more)
      entry?.wake?.()
      return true
    },
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
    hear({ id, mode, state }) {
      const entry = live.byID(id)
      if (entry === undefined || mode !== "background" || entry.task.mode === mode || isEnded({ state })) return
      entry.task = { ...entry.task, mode }
      entry.released.resolve()
    },
    turnEnded: notices.now,
    recover: (isLeft, crash) => interruptOpen(deps, isLeft, crash),
    keepWaiting: (waiting, diedAt) => keepWaiting({ ...own, taskClock, waits }, waiting, diedAt),
    ofCall: (partID) => live.byCall(partID)?.task ?? null,
    restore: (isLeft) => restoreHeld(own, isLeft),
    async tellRecovered(resumed, isLeft) {
      // Also of those that ended by themselves a moment before the crash.
      const untold = (await deps.store.task.untold()).filter(isLeft)
      const parents = new Set(untold.map((task) => task.parentID))
      for (const parentID of parents) if (!resumed.has(parentID)) await notices.now(parentID)
    },
  }
}

interface TaskDesk extends TasksDeps {
  live: LiveTasks
  slots: Slots
  records: TaskRecords
  runner: TaskRunner
  stop(sessionID: string, reason?: LimitReached): Promise<void>
}

function createTaskReads(
  own: Pick<TaskDesk, "store" | "live" | "slots" | "isShared">,
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

type LaunchDeps = Pick<
  TaskDesk,
  "live" | "records" | "runner" | "store" | "journal" | "endings" | "createID" | "clock" | "onError"
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
      if (!isRefusal(error)) void failUnheard(own, task).catch(() => {})
      throw error
    }
    own.runner.run(entry).catch(own.onError)
    return entry.task
  }
  return (rootID, prepare) => inOrder(rootID, async () => start(await prepare()))
}

/** A launch that seemed to fail may be stored all the same: nothing runs it, so it must not stay open. */
function failUnheard(
  { store, journal, endings, clock }: Pick<TaskDesk, "store" | "journal" | "endings" | "clock">,
  { id, rootID }: Task,
): Promise<void> {
  return endings.store({ rootID }, async () => {
    const row = await store.task.get(id)
    if (row === null || isEnded(row)) return
    const error = { type: "UnknownError", message: "The task could not be started: the database did not answer." }
    const value: Task = { ...row, state: "failed", error, delivered: "result", time: { ...row.time, ended: clock() } }
    await journal.commit(rootID, [{ kind: "task", value }])
  })
}

function newTask(deps: Pick<TasksDeps, "createID" | "clock">, request: NewTask): Task {
  const { agent, description, prompt, command, model, mode, limits, outputSchema, todoID, worktree, review } = request
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
    usage: nothing,
    limits,
    deadline: null,
    todoID,
    worktree,
    ...(review !== undefined && { review }),
    delivered: "no",
    time: { created: deps.clock(), started: null, ended: null },
  }
}

async function cancel(own: Pick<TaskDesk, "records" | "slots" | "stop">, entry: LiveTask, why: string): Promise<Task> {
  const error = { type: "cancelled", message: why }
  endFromOutside(entry, { state: "cancelled", error })
  if (leftQueue(own, entry)) return own.records.end(entry, { state: "cancelled", error })
  await own.stop(entry.child.id)
  return entry.ended.promise
}

async function endTree(
  own: Pick<TaskDesk, "live" | "records" | "slots" | "stop" | "onError">,
  rootID: string,
  error: TaskError,
): Promise<number> {
  const open = own.live.inTree(rootID)
  for (const entry of open) endFromOutside(entry, { state: "timed_out", error })
  for (const entry of open) {
    // What is under a task ends with it.
    if (own.live.byChild(entry.task.parentID) !== undefined) continue
    if (leftQueue(own, entry)) await own.records.end(entry, { state: "timed_out", error })
    else own.stop(entry.child.id, new LimitReached(error.message)).catch(own.onError)
  }
  await Promise.all(open.map((entry) => entry.ended.promise))
  return open.length
}

/** Says why a task ends; the first reason counts. One that is held hears of it. */
function endFromOutside(entry: LiveTask, ending: NonNullable<LiveTask["ending"]>): void {
  entry.ending ??= ending
  entry.wake?.()
}

/** Takes a task that waits out of the queue; false when it already works. */
function leftQueue({ slots }: Pick<TaskDesk, "slots">, { task }: LiveTask): boolean {
  return task.state === "queued" && slots.leave(task.parentID, task.id)
}

type TreeTasksDeps = Pick<TaskDesk, "live" | "slots" | "records">

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
    const error = { type: "cancelled", message }
    endFromOutside(entry, { state: "cancelled", error })
    // Nobody waits for its end: the parent was stopped with it.
    if (stopped.has(entry.task.parentID)) entry.task = { ...entry.task, delivered: "result" }
    if (leftQueue(own, entry)) await own.records.end(entry, { state: "cancelled", error })
  }
}

/** Marks what a crash left open. */
async function interruptOpen(
  deps: TasksDeps,
  isLeft: (task: Task) => boolean,
  { diedAt, waiting }: { diedAt: number | null; waiting: ReadonlySet<string> },
): Promise<string[]> {
  const all = (await deps.store.task.open()).filter(isLeft)
  const open = all.filter(({ id }) => !waiting.has(id))
  const left = (await deps.store.task.withWorktree()).tasks.filter(
    (task) => isLeft(task) && isEnded(task) && task.worktree?.state === "active",
  )
  for (const task of left) {
    const value = await deps.finishWorktree(task)
    if (value !== task) await deps.journal.commit(task.rootID, [{ kind: "task", value }])
  }
  for (const task of open) {
    const error = { type: "interrupted", message: "Docket was stopped while the task was open." }
    const found = await kept(deps, task, await lastAnswer(deps.store, task))
    const times = cutShort(task, all, Math.min(diedAt ?? Number.POSITIVE_INFINITY, deps.clock()))
    const value = await deps.finishWorktree({ ...task, ...found, ...times, state: "interrupted", error })
    await deps.journal.commit(task.rootID, [
      { kind: "task", value },
      ...(await toldToCall(deps, value, failureAnswer(value))),
    ])
  }
  return open.map((task) => task.sessionID)
}

/** Holds the tasks again that waited for a review when the process ended: in the background, as nobody waits for them now. */
async function restoreHeld(own: TaskDesk, isLeft: (task: Task) => boolean): Promise<void> {
  for (const task of (await own.store.task.held()).filter(isLeft)) {
    if (own.live.byID(task.id) !== undefined) continue
    const [parent, child] = [await own.store.session.get(task.parentID), await own.store.session.get(task.sessionID)]
    if (parent === null || child === null) continue
    const value: Task = { ...task, mode: "background" }
    if (task.mode === "blocking") {
      await own.journal.commit(task.rootID, [{ kind: "task", value }, ...(await toldToCall(own, task, stillHeld))])
    }
    const request = { ...requestOf(value, parent, child), concurrency: await own.concurrencyOf(parent) }
    own.runner.hold(own.live.add(value, request)).catch(own.onError)
  }
}

const stillHeld =
  "Docket was restarted while the task waited for a person's approval. It goes on waiting in the background: go on with other work, you are told when it has it."

/** What the call is told that waited for a task when the process ended, and that was closed as interrupted. */
async function toldToCall({ store }: Pick<TasksDeps, "store">, task: Task, error: string): Promise<Mutation[]> {
  if (task.mode !== "blocking" || task.partID === null) return []
  const part = await store.transcript.part(task.partID)
  if (part?.type !== "tool" || part.state.status !== "error") return []
  return [{ kind: "part", value: { ...part, state: { ...part.state, error } } }]
}

function stillWorking(task: Task): DocketError {
  const words = `Task #${task.number} still works in this session. Wait for its end, or give it a message with task_message.`
  return new DocketError("invalid_input", words)
}

/** What `working` comes to, or what there is instead after `ms`. Nobody has to stay for it. */
async function within<T>(working: Promise<T>, ms: number, instead: () => T): Promise<T> {
  const over = new AbortController()
  try {
    return await Promise.race([working, delay(ms, undefined, { signal: over.signal, ref: false }).then(instead)])
  } finally {
    over.abort()
  }
}

/** What an agent is told while it works. */
function messageNote(text: string, from: Speaker): Omit<SessionNote, "id"> {
  const who = from.kind === "person" ? "the user" : `the agent ${from.name} that delegated this`
  return { text: `Message from ${who}:\n${text}`, notice: { kind: "message", from, text } }
}
