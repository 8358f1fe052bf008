import type { PermissionRequest, Task } from "../../ground/schema/index.ts"
import type { WaitingTurns } from "../turn/waiting-turns.ts"
import type { Waits } from "./count-waits.ts"
import { waitsSince } from "./cut-short.ts"
import { waitingAbove } from "./hold.ts"
import type { LiveTask, LiveTasks } from "./live-tasks.ts"
import { requestOf } from "./new-task.ts"
import type { TaskClock } from "./task-clock.ts"
import type { TaskRecords } from "./task-records.ts"
import type { TaskRunner } from "./task-runner.ts"
import type { TasksDeps } from "./tasks-deps.ts"

interface KeepWaitingDeps extends Pick<TasksDeps, "store" | "concurrencyOf" | "clock" | "onError"> {
  live: LiveTasks
  records: Pick<TaskRecords, "put">
  runner: Pick<TaskRunner, "goOn">
  taskClock: TaskClock
  waits: Waits
}

/** See `Tasks`. The time that the process was down is neither work nor a wait. */
export async function keepWaiting(
  deps: KeepWaitingDeps,
  waiting: Pick<WaitingTurns, "tasks" | "requests" | "turns">,
  diedAt: number | null,
): Promise<() => void> {
  const { store, live, taskClock } = deps
  const pending = waiting.requests.filter(({ status }) => status === "pending")
  const rows = (await store.task.open()).filter(({ id }) => waiting.tasks.has(id))
  const turns = (await store.turn.open()).filter(({ id }) => waiting.turns.has(id))
  const now = deps.clock()
  const died = Math.min(diedAt ?? now, now)
  const entries: LiveTask[] = []
  for (const row of rows) {
    const [parent, child] = [await store.session.get(row.parentID), await store.session.get(row.sessionID)]
    const turn = turns.find(({ sessionID }) => sessionID === row.sessionID)
    if (parent === null || child === null || turn === undefined) continue
    const request = { ...requestOf(row, parent, child), concurrency: await deps.concurrencyOf(parent) }
    const entry = live.add({ ...row, ...times(row, { rows, pending, died, now }), turnID: turn.id }, request)
    taskClock.pause(entry)
    entries.push(entry)
  }
  for (const request of pending) {
    const entry = live.byChild(request.sessionID)
    if (entry !== undefined) deps.waits.keep(request, [entry, ...waitingAbove(live, entry)])
  }
  for (const entry of entries) await deps.records.put(entry, {})
  return () => {
    for (const entry of entries) {
      taskClock.resume(entry)
      deps.runner.goOn(entry, entry.task.turnID ?? "").catch(deps.onError)
    }
  }
}

/** The times of a task that goes on now as they were when its process died. */
function times(
  task: Task,
  { rows, pending, died, now }: { rows: Task[]; pending: readonly PermissionRequest[]; died: number; now: number },
): Pick<Task, "deadline" | "waited"> {
  const { deadline, waited = { ms: 0, since: null } } = task
  const stood = waitsSince(task, rows) ?? died
  const ms = waited.ms + (waited.since === null ? 0 : Math.max(0, died - waited.since))
  const isWaiting = pending.some(({ sessionID }) => sessionID === task.sessionID)
  return {
    deadline: deadline === null ? null : now + Math.max(0, deadline - stood),
    waited: { ms, since: isWaiting ? now : null },
  }
}
