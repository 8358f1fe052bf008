import type { Bus } from "../../ground/event/bus.ts"
import { callStatus } from "../../ground/message/call-status.ts"
import { rejectionWords } from "../../ground/message/rejection.ts"
import { askedText } from "../../ground/rule/describe-ask.ts"
import type { DocketEvent, PermissionRequest, PromptPart, TaskMoment, Turn } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { noteParts, notesRead } from "../loop/session-notes.ts"
import { LimitReached, type StoppedByUser } from "../loop/stop-reason.ts"
import {
  type LiveTask,
  type LiveTasks,
  measured,
  type NewTask,
  ownTodo,
  type Slots,
  type TaskRecords,
  type TasksDeps,
} from "./live-tasks.ts"
import { type Conclusion, concludeTask } from "./task-answers.ts"
import { timeLimitText } from "./tree-budgets.ts"

/** Runs queued tasks until they end. */
export interface TaskRunner {
  run(entry: LiveTask): Promise<void>
  /** Continues a task whose turn has waited for a person since before the process started. */
  goOn(entry: LiveTask, turnID: string): Promise<void>
  /** Continues to hold a finished task whose review was pending when the process started. */
  hold(entry: LiveTask): Promise<void>
}

type UsedDeps =
  | "sizeOf"
  | "isShared"
  | "store"
  | "notes"
  | "submit"
  | "wait"
  | "outputDirectory"
  | "todos"
  | "clock"
  | "onError"
  | "reviewOf"
  | "follow"

interface TaskRunnerDeps extends Pick<TasksDeps, UsedDeps> {
  live: LiveTasks
  bus: Bus
  records: TaskRecords
  slots: Slots
  taskClock: TaskClock
  /** Stops a session and everything under it. */
  stop(sessionID: string, reason?: LimitReached): Promise<void>
}

export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
  return {
    async run(entry) {
      await inSlot(deps, entry, () => begin(deps, entry)).then((done) => settle(deps, entry, done))
    },
    async goOn(entry, turnID) {
      const work = async () => answered(deps, entry, await deps.wait(turnID))
      await inSlot(deps, entry, work).then((done) => settle(deps, entry, done))
    },
    async hold(entry) {
      const { result, resultPath, output } = entry.task
      await settle(deps, entry, { state: "completed", result, resultPath, output })
    },
  }
}

/**
 * Ends a task with its outcome. A task that needs a review is held first, and works again whenever it gets a message.
 */
async function settle(deps: TaskRunnerDeps, entry: LiveTask, first: Conclusion | null): Promise<void> {
  let done = first
  while (done !== null && needsReview(entry, done)) {
    const held: Conclusion = done
    done = await failedOnError(deps, () => holdForReview(deps, entry, held))
    if (done !== null) break
    done = await inSlot(deps, entry, () => answerMessages(deps, entry))
  }
  if (done !== null) await deps.records.end(entry, done)
}

/** Runs `work` in a slot of the parent and frees the slot afterwards; null when the task ended in the queue. */
async function inSlot(
  deps: TaskRunnerDeps,
  entry: LiveTask,
  work: () => Promise<Conclusion>,
): Promise<Conclusion | null> {
  const { parentID, id, number } = entry.task
  const limit = Math.max(1, entry.request.concurrency - (await runningElsewhere(deps, entry)))
  await deps.slots.take(parentID, id, { number, limit })
  try {
    return entry.end === null ? await failedOnError(deps, () => watched(deps, entry, work)) : null
  } finally {
    deps.slots.release(parentID)
  }
}

/** Turns an unexpected error of Docket into a failed task. */
async function failedOnError<T>({ onError }: TaskRunnerDeps, work: () => Promise<T>): Promise<T | Conclusion> {
  try {
    return await work()
  } catch (error) {
    onError(error)
    const message = error instanceof Error ? error.message : String(error)
    return { state: "failed", error: { type: "UnknownError", message } }
  }
}

/** Runs `work` and records the task's milestones and the outcome of its calls meanwhile. */
async function watched<T>(deps: TaskRunnerDeps, entry: LiveTask, work: () => Promise<T>): Promise<T> {
  const isUnder = (sessionID: string) => deps.live.chain(sessionID).includes(entry)
  const stops = [noteMoments(deps, entry, isUnder), noteCalls(deps, entry)]
  try {
    return await work()
  } finally {
    for (const stop of stops) stop()
  }
}

/** How many tasks of the same parent run in other runtimes. */
async function runningElsewhere({ isShared, store, live }: TaskRunnerDeps, { task }: LiveTask): Promise<number> {
  if (!isShared) return 0
  const open = await store.task.open(task.rootID)
  return open.filter((row) => row.parentID === task.parentID && row.state === "running" && !live.byID(row.id)).length
}

async function begin(deps: TaskRunnerDeps, entry: LiveTask): Promise<Conclusion> {
  const { request } = entry
  const started = deps.clock()
  const deadline = deps.taskClock.start(entry)
  await deps.records.put(entry, { state: "running", deadline, time: { ...entry.task.time, started } })
  await ownTodo(deps, entry.task)
  return answered(deps, entry, await prompt(deps, entry, [...request.preamble, promptPart(request)]))
}

/** Continues a held task with the messages that it got. */
async function answerMessages(deps: TaskRunnerDeps, entry: LiveTask): Promise<Conclusion> {
  const { id } = entry.child
  const deadline = deps.taskClock.resume(entry)
  await deps.records.put(entry, { state: "running", deadline })
  const notes = await deps.notes.take(id)
  return answered(deps, entry, await prompt(deps, entry, noteParts(notes), notesRead(id, notes)))
}

/** The outcome of a task after its turn and the turns for later messages have ended. */
async function answered(deps: TaskRunnerDeps, entry: LiveTask, first: Turn): Promise<Conclusion> {
  const { child } = entry
  let turn = first
  // A message that arrived after the last step still gets an answer.
  while (turn.status === "completed" && entry.ending === null) {
    await deps.notes.look(child.id)
    // No message can arrive between this check and the end of the loop.
    if (!deps.notes.has(child.id)) break
    const notes = await deps.notes.take(child.id)
    turn = await prompt(deps, entry, noteParts(notes), notesRead(child.id, notes))
  }
  entry.closed = true
  return concludeTask(deps, { task: entry.task, turn, ending: () => entry.ending })
}

function promptPart({ prompt, command, notice }: NewTask): PromptPart {
  const said = { type: "text", text: prompt, ...(command !== null && { command }) } as const
  return notice === null ? said : { ...said, synthetic: true, notice }
}

async function prompt(
  deps: TaskRunnerDeps,
  entry: LiveTask,
  parts: PromptPart[],
  mutations: Mutation[] = [],
): Promise<Turn> {
  const { agent, model, cause, outputSchema, mode } = entry.task
  const isAwaited = mode === "blocking"
  const turn = await deps.submit(entry.child, parts, { agent, model, cause, outputSchema, isAwaited, mutations })
  entry.task = { ...entry.task, turnID: turn.id }
  // The task was ended before its prompt was queued: the queued prompt must not run.
  if (entry.ending !== null) deps.stop(entry.child.id).catch(deps.onError)
  return deps.wait(turn.id)
}

/** What the functions on the tasks of this process share. */
export interface TaskParts extends TasksDeps {
  live: LiveTasks
  slots: Slots
  records: TaskRecords
  runner: TaskRunner
  stop(sessionID: string, reason?: LimitReached | StoppedByUser): Promise<void>
}

interface HoldDeps extends Pick<TasksDeps, "notes" | "sizeOf" | "reviewOf" | "follow" | "clock" | "onError"> {
  live: LiveTasks
  records: Pick<TaskRecords, "put">
  taskClock: TaskClock
}

/** Whether a task with this outcome waits for a person's approval before it ends. */
function needsReview(entry: LiveTask, { state }: Conclusion): boolean {
  return state === "completed" && entry.task.review === "required"
}

/**
 * Holds a finished task until a person approves or rejects it or it is ended from outside. Returns its outcome, or null
 * when it got a message and must work again. Meanwhile its clock and those of the tasks that wait for it are paused.
 */
async function holdForReview(deps: HoldDeps, entry: LiveTask, done: Conclusion): Promise<Conclusion | null> {
  const { live, records, taskClock, notes } = deps
  const waiting = [entry, ...waitingAbove(live, entry)]
  for (const one of waiting) taskClock.pause(one)
  entry.closed = false
  const since = deps.clock()
  const ms = entry.task.waited?.ms ?? 0
  const size = await measured(deps, entry.task)
  const held = { ...done, ...size, state: "awaiting_review", deadline: null, waited: { ms, since } } as const
  await records.put(entry, held)
  for (const one of waiting.slice(1)) await records.put(one, { deadline: null })
  const unfollow = await deps.follow(entry.task.rootID)
  try {
    const decided = await decision(deps, entry, done)
    const waited = { ms: ms + Math.max(0, deps.clock() - since), since: null }
    if (decided !== null) return { ...decided, waited }
    // The messages may have been withdrawn together with their prompt.
    await notes.look(entry.child.id)
    await records.put(entry, { state: "queued", waited })
    return null
  } finally {
    unfollow()
    entry.wake = null
    for (const one of waiting.slice(1)) {
      const deadline = taskClock.resume(one)
      if (one.end === null) await records.put(one, { deadline })
    }
  }
}

/** The tasks above that wait for this one, up to the first background task. */
export function waitingAbove(live: Pick<LiveTasks, "chain">, entry: LiveTask): LiveTask[] {
  const above: LiveTask[] = []
  let below = entry
  for (const next of live.chain(entry.task.parentID)) {
    if (below.task.mode !== "blocking") break
    above.push(next)
    below = next
  }
  return above
}

/** Resolves once the review is decided. The mark is read again after a change that arrives during the check. */
async function decision(deps: HoldDeps, entry: LiveTask, done: Conclusion): Promise<Conclusion | null> {
  while (true) {
    const woken = Promise.withResolvers<void>()
    entry.wake = woken.resolve
    const { status, reason } = await deps.reviewOf(entry.task)
    if (entry.ending !== null) return closed(entry, { ...done, ...entry.ending })
    if (deps.notes.has(entry.child.id)) return null
    if (status === "approved") return closed(entry, done)
    if (status === "rejected") return closed(entry, { ...done, state: "failed", error: rejection(reason) })
    await woken.promise
  }
}

/** Messages to the task are rejected from now on. */
function closed(entry: LiveTask, conclusion: Conclusion): Conclusion {
  entry.closed = true
  return conclusion
}

function rejection(reason: string) {
  return { type: "rejected", message: `${rejectionWords}${reason === "" ? "." : `: ${reason}`}` }
}

/** The longest delay of a timer (ms, about 25 days): with a longer one it would fire at once. */
const maxTimer = 2 ** 31 - 1

interface TaskClockDeps {
  clock: () => number
  /** Stops a session and everything under it. */
  stop(sessionID: string, reason?: LimitReached): Promise<void>
  onError(error: unknown): void
}

/** The wall clocks of tasks. Deadlines are epoch ms; null for a task without a limit or with a paused clock. */
export interface TaskClock {
  /** Starts the clock and returns the deadline. */
  start(entry: LiveTask): number | null
  /** Pauses the clock until `resume` was called as often as `pause`. */
  pause(entry: LiveTask): void
  /** Returns the new deadline. */
  resume(entry: LiveTask): number | null
}

export function createTaskClock(deps: TaskClockDeps): TaskClock {
  const run = (entry: LiveTask, left: number | null): number | null => {
    if (left === null) return null
    entry.timer = setTimeout(() => expire(deps, entry), Math.min(left, maxTimer))
    return deps.clock() + left
  }
  return {
    start: (entry) => run(entry, entry.task.limits.wallClock),
    pause(entry) {
      entry.pauses += 1
      if (entry.pauses > 1) return
      if (entry.timer !== null) clearTimeout(entry.timer)
      entry.timer = null
      const { deadline } = entry.task
      entry.timeLeft = deadline === null ? null : Math.max(0, deadline - deps.clock())
    },
    resume(entry) {
      entry.pauses -= 1
      return entry.pauses > 0 || entry.end !== null ? null : run(entry, entry.timeLeft)
    },
  }
}

function expire(deps: TaskClockDeps, entry: LiveTask): void {
  const message = `The task reached its time limit of ${timeLimitText(entry.task.limits)}.`
  entry.ending ??= { state: "timed_out", error: { type: "limit_reached", message } }
  deps.stop(entry.child.id, new LimitReached(message)).catch(deps.onError)
}

interface CountWaitsDeps {
  bus: Bus
  live: Pick<LiveTasks, "byChild" | "chain">
  records: Pick<TaskRecords, "put">
  taskClock: TaskClock
  onError(error: unknown): void
}

export interface Waits {
  /** Counts a request from before the process started, with the tasks that wait for its answer. */
  keep(request: PermissionRequest, waiting: LiveTask[]): void
}

interface OpenWait {
  requests: Set<string>
  /** The tasks whose clocks are paused. */
  waiting: LiveTask[]
}

/**
 * Records on running tasks how long they wait for people's answers; overlapping requests count once. Meanwhile the
 * clocks of the task and of the tasks that wait for it are paused.
 */
export function countWaits(deps: CountWaitsDeps): Waits {
  const { live, records, taskClock } = deps
  const open = new Map<string, OpenWait>()
  /** Returns whether it is the only open request of its session. */
  const add = ({ id, sessionID }: PermissionRequest, waiting: LiveTask[]): boolean => {
    const known = open.get(sessionID)
    known?.requests.add(id)
    if (known !== undefined) return false
    open.set(sessionID, { requests: new Set([id]), waiting })
    for (const one of waiting) taskClock.pause(one)
    return true
  }
  const asked = (request: PermissionRequest) => {
    const entry = live.byChild(request.sessionID)
    const waiting = entry === undefined ? [] : [entry, ...waitingAbove(live, entry)]
    if (!add(request, waiting) || entry === undefined) return
    const { ms } = entry.task.waited ?? { ms: 0 }
    records.put(entry, { waited: { ms, since: request.time.created } }).catch(deps.onError)
  }
  const replied = ({ id, sessionID, time }: PermissionRequest) => {
    const wait = open.get(sessionID)
    if (!wait?.requests.delete(id) || wait.requests.size > 0) return
    open.delete(sessionID)
    const entry = live.byChild(sessionID)
    for (const one of wait.waiting) {
      const { ms, since } = one.task.waited ?? { ms: 0, since: null }
      const deadline = taskClock.resume(one)
      const total = one === entry && since !== null ? ms + Math.max(0, (time.replied ?? since) - since) : null
      const waited = total === null ? null : { ms: total, since: null }
      const change = { ...(deadline !== null && { deadline }), ...(waited && { waited }) }
      if (one.end === null && Object.keys(change).length > 0) records.put(one, change).catch(deps.onError)
    }
  }
  deps.bus.subscribe((event) => {
    if (event.type === "permission.asked") asked(event.properties.request)
    if (event.type === "permission.replied") replied(event.properties.request)
  })
  return { keep: (request, waiting) => void add(request, waiting) }
}

/** A task keeps this many of its newest milestones. */
export const maxMoments = 100

/**
 * Records the milestones of a running task until the returned function is called. They are stored together with the
 * next step and the end of the task, never by a write of their own.
 */
function noteMoments({ bus }: { bus: Bus }, entry: LiveTask, isUnder: (sessionID: string) => boolean): () => void {
  return bus.subscribe((event) => {
    const moment = event.rootID === entry.task.rootID ? momentOf(event, entry.child.id, isUnder) : null
    const { moments = [] } = entry.task
    // A failed part may be published again, with less of its output.
    if (moment === null || moments.some(({ kind, from }) => kind === moment.kind && from === moment.from)) return
    entry.task = { ...entry.task, moments: [...moments, moment].slice(-maxMoments) }
  })
}

function momentOf(event: DocketEvent, childID: string, isUnder: (sessionID: string) => boolean): TaskMoment | null {
  if (event.type === "message.part.updated") {
    const { part } = event.properties
    if (part.sessionID !== childID || part.type !== "tool" || callStatus(part) !== "failed") return null
    const at = part.state.status === "error" || part.state.status === "completed" ? part.state.time.end : null
    return at === null ? null : { kind: "error", from: at, until: at }
  }
  if (event.type !== "permission.replied" || !isUnder(event.properties.request.sessionID)) return null
  const { request } = event.properties
  const { created, replied } = request.time
  return { kind: "wait", from: created, until: replied ?? created, ...answerOf(request) }
}

function answerOf(request: PermissionRequest): Pick<TaskMoment, "answer"> {
  const { status, by } = request
  return status === "pending" ? {} : { answer: { status, asked: askedText(request), ...(by && { by }) } }
}

/** A task keeps the outcome of this many newest calls: as many as its card shows. */
const maxCalls = 24

/**
 * Records the outcome of a child's calls until the returned function is called. Like milestones, outcomes are stored
 * together with other changes of the row.
 */
function noteCalls({ bus }: { bus: Bus }, entry: LiveTask): () => void {
  const noted = new Set<string>()
  return bus.subscribe((event) => {
    if (event.rootID !== entry.task.rootID || event.type !== "message.part.updated") return
    const { part } = event.properties
    if (part.type !== "tool" || part.sessionID !== entry.child.id || noted.has(part.id)) return
    const { state } = part
    if (state.status !== "completed" && state.status !== "error") return
    // Calls of an earlier task are published again, with less of their output.
    if (state.time.end < entry.task.time.created) return
    noted.add(part.id)
    const outcome = callStatus(part) === "failed" ? ("error" as const) : ("completed" as const)
    entry.task = { ...entry.task, calls: [...(entry.task.calls ?? []), outcome].slice(-maxCalls) }
  })
}
