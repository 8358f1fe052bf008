import { LimitReached } from "../loop/stop-reason.ts"
import type { PromptPart, Turn } from "../schema/index.ts"
import { concludeTask } from "./conclude-task.ts"
import type { LiveTask } from "./live-tasks.ts"
import type { Slots } from "./slots.ts"
import type { TaskRecords } from "./task-records.ts"
import { ownTodo } from "./task-todo.ts"
import type { TasksDeps } from "./tasks-deps.ts"

/** The longest time that a timer takes (ms, about 25 days): a longer one would fire at once. */
const maxTimer = 2 ** 31 - 1

/** Takes tasks from queued to their end. */
export interface TaskRunner {
  run(entry: LiveTask): Promise<void>
}

type Used = "store" | "notes" | "submit" | "wait" | "outputDirectory" | "todos" | "clock" | "onError"

export interface TaskRunnerDeps extends Pick<TasksDeps, Used> {
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
      await slots.take(parentID, id, { number, limit: entry.request.concurrency })
      if (entry.end !== null) return slots.release(parentID)
      try {
        await records.end(entry, await work(deps, entry))
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

async function work(deps: TaskRunnerDeps, entry: LiveTask) {
  const { request, child } = entry
  const started = deps.clock()
  const { wallClock } = entry.task.limits
  const deadline = wallClock === null ? null : started + wallClock
  if (wallClock !== null) entry.timer = setTimeout(() => expire(deps, entry, wallClock), Math.min(wallClock, maxTimer))
  await deps.records.put(entry, { state: "running", deadline, time: { ...entry.task.time, started } })
  await ownTodo(deps, entry.task)
  const again = (text: string) => prompt(deps, entry, [{ type: "text", text, synthetic: true }])
  let turn = await prompt(deps, entry, [...request.preamble, { type: "text", text: request.prompt }])
  // A message that came when the last step was over still gets its answer.
  while (turn.status === "completed" && entry.ending === null && deps.notes.has(child.id)) {
    turn = await again(deps.notes.take(child.id).join("\n\n"))
  }
  entry.closed = true
  return concludeTask({ ...deps, again }, { task: entry.task, turn, ending: () => entry.ending })
}

async function prompt(deps: TaskRunnerDeps, entry: LiveTask, parts: PromptPart[]): Promise<Turn> {
  const { agent, model } = entry.task
  const turn = await deps.submit(entry.child, parts, { agent, model })
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
