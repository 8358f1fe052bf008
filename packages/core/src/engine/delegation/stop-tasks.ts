import type { Task, TaskError } from "../../ground/schema/index.ts"
import { LimitReached, type PersonGone, type StoppedByUser, stoppedBy } from "../loop/stop-reason.ts"
import type { TreeTasks } from "../turn/tree-work.ts"
import type { LiveTask } from "./live-tasks.ts"
import type { TaskDesk } from "./task-desk.ts"

/** Ends a task for this reason, whether it waits for a slot or works. */
export async function cancel(
  own: Pick<TaskDesk, "records" | "slots" | "stop">,
  entry: LiveTask,
  reason: StoppedByUser,
): Promise<Task> {
  const error = { type: "cancelled", message: "The task was cancelled.", ...stoppedBy(reason) }
  endFromOutside(entry, { state: "cancelled", error })
  if (leftQueue(own, entry)) return own.records.end(entry, { state: "cancelled", error })
  await own.stop(entry.child.id, reason)
  return entry.ended.promise
}

/** Ends all open tasks of a tree; resolves with how many, once they have ended. */
export async function endTree(
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

/** See `Tasks`. */
export async function stopFor(
  own: Pick<TaskDesk, "live" | "records" | "slots">,
  people: ReadonlySet<string>,
  reason: PersonGone,
): Promise<Promise<Task>[]> {
  const open = own.live.workingFor(people)
  const error = {
    type: "cancelled",
    message: "Whoever it worked for is in the workspace no more.",
    ...stoppedBy(reason),
  }
  for (const entry of open) {
    entry.task = { ...entry.task, delivered: "result" }
    endFromOutside(entry, { state: "cancelled", error })
    if (leftQueue(own, entry)) await own.records.end(entry, { state: "cancelled", error })
  }
  // In a list, so that nobody waits for their ends here: their turns have to be stopped first.
  return open.map((entry) => entry.ended.promise)
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

export function createTreeTasks(own: TreeTasksDeps): TreeTasks {
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
    endFromOutside(entry, { state: "cancelled", error })
    // Nobody waits for its end: the parent was stopped with it.
    if (stopped.has(entry.task.parentID)) entry.task = { ...entry.task, delivered: "result" }
    if (leftQueue(own, entry)) await own.records.end(entry, { state: "cancelled", error })
  }
}
