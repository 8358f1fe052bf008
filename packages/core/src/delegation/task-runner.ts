import { LimitReached } from "../loop/stop-reason.ts"
import type { PromptPart, Task, Turn } from "../schema/index.ts"
import type { Mutation } from "../store/index.ts"
import { concludeTask } from "./conclude-task.ts"
import type { LiveTask, LiveTasks } from "./live-tasks.ts"
import type { Slots } from "./slots.ts"
import type { TaskNotices } from "./task-notices.ts"
import { ownTodo, proposeTodo } from "./task-todo.ts"
import type { TasksDeps } from "./tasks-deps.ts"

/** The longest time that a timer takes (ms, about 25 days): a longer one would fire at once. */
const maxTimer = 2 ** 31 - 1

/** Takes tasks from queued to their end. */
export interface TaskRunner {
  /** Stores the task as it is in memory with a change, and more mutations with it. */
  put(entry: LiveTask, change: Partial<Task>, more?: Mutation[]): Promise<Task>
  run(entry: LiveTask): Promise<void>
  /** The one place where a task reaches a terminal state; a second end changes nothing. */
  end(entry: LiveTask, change: Partial<Task> & { state: Task["state"] }): Promise<Task>
}

export interface TaskRunnerDeps extends TasksDeps {
  live: LiveTasks
  slots: Slots
  notices: TaskNotices
}

export function createTaskRunner(deps: TaskRunnerDeps): TaskRunner {
  const put: TaskRunner["put"] = async (entry, change, more = []) => {
    entry.task = { ...entry.task, ...change }
    await deps.journal.commit(entry.task.rootID, [...more, { kind: "task", value: entry.task }])
    return entry.task
  }
  const finish: TaskRunner["end"] = async (entry, change) => {
    entry.closed = true
    if (entry.timer !== null) clearTimeout(entry.timer)
    // Nobody reads them now; a later task in the same session must not.
    deps.notes.take(entry.child.id)
    const { result = null, worktree } = await deps.finishWorktree({ ...entry.task, ...change })
    const time = { ...entry.task.time, ended: deps.clock() }
    const { rootID } = entry.task
    // What it used is counted until then. When the process ends before, the next start marks it as interrupted.
    await deps.endings
      .store({ rootID }, () => put(entry, { ...change, result, worktree, time }))
      .then((task) => proposeTodo(deps, task), deps.onError)
    const { task } = entry
    deps.live.remove(entry)
    entry.ended.resolve(task)
    entry.released.resolve()
    if (task.mode === "background") deps.notices.soon(task.parentID).catch(deps.onError)
    return task
  }
  const end: TaskRunner["end"] = (entry, change) => {
    entry.end ??= finish(entry, change)
    return entry.end
  }
  return {
    put,
    end,
    async run(entry) {
      const { parentID, id, number } = entry.task
      await deps.slots.take(parentID, id, { number, limit: entry.request.concurrency })
      if (entry.end !== null) return deps.slots.release(parentID)
      try {
        await end(entry, await work(deps, entry, put))
      } catch (error) {
        deps.onError(error)
        const message = error instanceof Error ? error.message : String(error)
        await end(entry, { state: "failed", error: { type: "UnknownError", message } })
      } finally {
        deps.slots.release(parentID)
      }
    },
  }
}

async function work(deps: TaskRunnerDeps, entry: LiveTask, put: TaskRunner["put"]) {
  const { request, child } = entry
  const started = deps.clock()
  const { wallClock } = entry.task.limits
  const deadline = wallClock === null ? null : started + wallClock
  if (wallClock !== null) entry.timer = setTimeout(() => expire(deps, entry, wallClock), Math.min(wallClock, maxTimer))
  await put(entry, { state: "running", deadline, time: { ...entry.task.time, started } })
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
