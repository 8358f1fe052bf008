import type { Bus } from "../event/bus.ts"
import { noteParts, notesRead } from "../loop/session-notes.ts"
import { LimitReached } from "../loop/stop-reason.ts"
import type { PromptPart, Turn } from "../schema/index.ts"
import type { Mutation } from "../store/index.ts"
import { concludeTask } from "./conclude-task.ts"
import type { LiveTask, LiveTasks } from "./live-tasks.ts"
import type { NewTask } from "./new-task.ts"
import type { Slots } from "./slots.ts"
import { noteCalls } from "./task-calls.ts"
import { noteMoments } from "./task-moments.ts"
import type { TaskRecords } from "./task-records.ts"
import { ownTodo } from "./task-todo.ts"
import type { TasksDeps } from "./tasks-deps.ts"

/** The longest time that a timer takes (ms, about 25 days): a longer one would fire at once. */
const maxTimer = 2 ** 31 - 1

/** Takes tasks from queued to their end. */
export interface TaskRunner {
  run(entry: LiveTask): Promise<void>
}

type Used = "isShared" | "store" | "notes" | "submit" | "wait" | "outputDirectory" | "todos" | "clock" | "onError"

export interface TaskRunnerDeps extends Pick<TasksDeps, Used> {
  live: LiveTasks
  bus: Bus
  records: TaskRecords
  slots: Slots
  /** Stops a session and everything under it. */
  stop(sessionID: string, reason?: LimitReached): Promise<void>
}

export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
  const { records, slots } = deps
  return {
    async run(entry) {
      const { parentID, id, number } = entry.task
      const limit = Math.max(1, entry.request.concurrency - (await runningElsewhere(deps, entry)))
      await slots.take(parentID, id, { number, limit })
      if (entry.end !== null) return slots.release(parentID)
      try {
        await records.end(entry, await watched(deps, entry))
      } catch (error) {
        deps.onError(error)
        const message = error instanceof Error ? error.message : String(error)
        await records.end(entry, { state: "failed", error: { type: "UnknownError", message } })
      } finally {
        slots.release(parentID)
      }
    },
  }
}

/** Works, and notes what its calls come to and what stands out meanwhile. */
async function watched(deps: TaskRunnerDeps, entry: LiveTask) {
  const isUnder = (sessionID: string) => deps.live.chain(sessionID).includes(entry)
  const stops = [noteMoments(deps, entry, isUnder), noteCalls(deps, entry)]
  try {
    return await work(deps, entry)
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

async function work(deps: TaskRunnerDeps, entry: LiveTask) {
  const { request, child } = entry
  const started = deps.clock()
  const { wallClock } = entry.task.limits
  const deadline = wallClock === null ? null : started + wallClock
  if (wallClock !== null) entry.timer = setTimeout(() => expire(deps, entry, wallClock), Math.min(wallClock, maxTimer))
  await deps.records.put(entry, { state: "running", deadline, time: { ...entry.task.time, started } })
  await ownTodo(deps, entry.task)
  const again = (text: string) => prompt(deps, entry, [{ type: "text", text, synthetic: true }])
  let turn = await prompt(deps, entry, [...request.preamble, promptPart(request)])
  // A message that came when the last step was over still gets its answer.
  while ((turn.status === "completed" || turn.error?.name === "RejectedError") && entry.ending === null) {
    await deps.notes.look(child.id)
    // None comes between this and the end of the loop.
    if (!deps.notes.has(child.id)) break
    const notes = await deps.notes.take(child.id)
    turn = await prompt(deps, entry, noteParts(notes), notesRead(child.id, notes))
  }
  entry.closed = true
  return concludeTask({ ...deps, again }, { task: entry.task, turn, ending: () => entry.ending })
}

function promptPart({ prompt, notice }: NewTask): PromptPart {
  return { type: "text", text: prompt, ...(notice !== null && { synthetic: true, notice }) }
}

async function prompt(
  deps: TaskRunnerDeps,
  entry: LiveTask,
  parts: PromptPart[],
  mutations: Mutation[] = [],
): Promise<Turn> {
  const { agent, model } = entry.task
  const turn = await deps.submit(entry.child, parts, { agent, model, mutations })
  entry.task = { ...entry.task, turnID: turn.id }
  // Ended before its prompt was queued: what is queued now must not run.
  if (entry.ending !== null) deps.stop(entry.child.id).catch(deps.onError)
  return deps.wait(turn.id)
}

function expire(deps: TaskRunnerDeps, entry: LiveTask, wallClock: number): void {
  const message = `The task reached its time limit of ${wallClock / 1_000} s.`
  entry.ending ??= { state: "timed_out", error: { type: "limit_reached", message } }
  deps.stop(entry.child.id, new LimitReached(message)).catch(deps.onError)
}
