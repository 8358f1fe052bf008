import type { Bus } from "../../ground/event/bus.ts"
import type { PromptPart, Turn } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { noteParts, notesRead } from "../loop/session-notes.ts"
import type { LimitReached } from "../loop/stop-reason.ts"
import { type Conclusion, concludeTask } from "./conclude-task.ts"
import { hold, isHeld } from "./hold.ts"
import type { LiveTask, LiveTasks } from "./live-tasks.ts"
import type { NewTask } from "./new-task.ts"
import type { Slots } from "./slots.ts"
import { noteCalls } from "./task-calls.ts"
import type { TaskClock } from "./task-clock.ts"
import { noteMoments } from "./task-moments.ts"
import type { TaskRecords } from "./task-records.ts"
import { ownTodo } from "./task-todo.ts"
import type { TasksDeps } from "./tasks-deps.ts"

/** Takes tasks from queued to their end. */
export interface TaskRunner {
  run(entry: LiveTask): Promise<void>
  /** Goes on with a task whose turn waits for a person since before the process started. */
  goOn(entry: LiveTask, turnID: string): Promise<void>
  /** Goes on with a task that was done and held for a review before the process started. */
  hold(entry: LiveTask): Promise<void>
}

type Used =
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

export interface TaskRunnerDeps extends Pick<TasksDeps, Used> {
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

/** Ends a task with what it has come to; one that needs a review is held before, and works on as often as it is told to. */
async function settle(deps: TaskRunnerDeps, entry: LiveTask, first: Conclusion | null): Promise<void> {
  let done = first
  while (done !== null && isHeld(entry, done)) {
    const held: Conclusion = done
    done = await failing(deps, () => hold(deps, entry, held))
    if (done !== null) break
    done = await inSlot(deps, entry, () => goOn(deps, entry))
  }
  if (done !== null) await deps.records.end(entry, done)
}

/** Works once a slot of the parent is free, and leaves it; null when the task ended in the queue. */
async function inSlot(
  deps: TaskRunnerDeps,
  entry: LiveTask,
  work: () => Promise<Conclusion>,
): Promise<Conclusion | null> {
  const { parentID, id, number } = entry.task
  const limit = Math.max(1, entry.request.concurrency - (await runningElsewhere(deps, entry)))
  await deps.slots.take(parentID, id, { number, limit })
  try {
    return entry.end === null ? await failing(deps, () => watched(deps, entry, work)) : null
  } finally {
    deps.slots.release(parentID)
  }
}

/** What a fault of Docket's own makes of a task. */
async function failing<T>({ onError }: TaskRunnerDeps, work: () => Promise<T>): Promise<T | Conclusion> {
  try {
    return await work()
  } catch (error) {
    onError(error)
    const message = error instanceof Error ? error.message : String(error)
    return { state: "failed", error: { type: "UnknownError", message } }
  }
}

/** Works, and notes what its calls come to and what stands out meanwhile. */
async function watched<T>(deps: TaskRunnerDeps, entry: LiveTask, work: () => Promise<T>): Promise<T> {
  const isUnder = (sessionID: string) => deps.live.chain(sessionID).includes(entry)
  const stops = [noteMoments(deps, entry, isUnder), noteCalls(deps, entry)]
  try {
    return await work()
  } finally {
    for (const stop of stops) stop()
  }
}

/** Tasks of the same parent that other runtimes run. */
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

/** Works on with what was said to a task that was held. */
async function goOn(deps: TaskRunnerDeps, entry: LiveTask): Promise<Conclusion> {
  const { id } = entry.child
  const deadline = deps.taskClock.resume(entry)
  await deps.records.put(entry, { state: "running", deadline })
  const notes = await deps.notes.take(id)
  return answered(deps, entry, await prompt(deps, entry, noteParts(notes), notesRead(id, notes)))
}

/** What a task has come to once its turn, and those of messages to it, have ended. */
async function answered(deps: TaskRunnerDeps, entry: LiveTask, first: Turn): Promise<Conclusion> {
  const { child } = entry
  const again = (text: string) => prompt(deps, entry, [{ type: "text", text, synthetic: true }])
  let turn = first
  // A message that came when the last step was over still gets its answer.
  while (turn.status === "completed" && entry.ending === null) {
    await deps.notes.look(child.id)
    // None comes between this and the end of the loop.
    if (!deps.notes.has(child.id)) break
    const notes = await deps.notes.take(child.id)
    turn = await prompt(deps, entry, noteParts(notes), notesRead(child.id, notes))
  }
  entry.closed = true
  return concludeTask({ ...deps, again }, { task: entry.task, turn, ending: () => entry.ending })
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
  const { agent, model, cause } = entry.task
  const turn = await deps.submit(entry.child, parts, { agent, model, cause, mutations })
  entry.task = { ...entry.task, turnID: turn.id }
  // Ended before its prompt was queued: what is queued now must not run.
  if (entry.ending !== null) deps.stop(entry.child.id).catch(deps.onError)
  return deps.wait(turn.id)
}
