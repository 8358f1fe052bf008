import { pause } from "../../ground/concurrency/pause.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { Task } from "../../ground/schema/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { LiveTasks } from "./live-tasks.ts"

/** How often (ms) the row of a task is looked at that another runtime has. */
const lookMs = 100

export interface ElsewhereDeps {
  live: LiveTasks
  journal: Journal
  /** Whether other runtimes on the same store may run tasks too. */
  isShared: boolean
}

/** Whether another runtime has the task. */
export function isElsewhere({ isShared, live }: Pick<ElsewhereDeps, "isShared" | "live">, task: Task): boolean {
  return isShared && !isEnded(task) && live.byID(task.id) === undefined
}

/** The task once it has ended there, or as it is after `waitMs`. */
export async function endedElsewhere(
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

/** Sends it to the background there. @throws task_ended */
export async function backgroundElsewhere(deps: ElsewhereDeps, task: Task): Promise<Task> {
  if (!isElsewhere(deps, task)) throw endedError(task)
  const value: Task = { ...task, mode: "background" }
  await deps.journal.commit(task.rootID, [{ kind: "task", value }])
  return value
}

/** Why nothing can be said to a task any more. */
export function endedError(task: Task): DocketError {
  const end = isEnded(task) ? `has ended (${task.state})` : "is just ending"
  const words = `Task #${task.number} ${end}. Start a new one, or resume its session with task_id.`
  return new DocketError("task_ended", words)
}
