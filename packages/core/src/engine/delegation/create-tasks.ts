import { StaleTurnError } from "../../ground/error/docket-error.ts"
import type { Caller, Task } from "../../ground/schema/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import { isEndOfProcess, type LimitReached, PersonGone, StoppedByUser, stoppedBy } from "../loop/stop-reason.ts"
import { countWaits } from "./count-waits.ts"
import { keepWaiting } from "./keep-waiting.ts"
import { createLaunch } from "./launch-task.ts"
import { createLiveTasks } from "./live-tasks.ts"
import { interruptOpen, restoreHeld } from "./recover-tasks.ts"
import { createSlots } from "./slots.ts"
import { cancel, createTreeTasks, endTree, stopFor } from "./stop-tasks.ts"
import { createTaskClock } from "./task-clock.ts"
import type { TaskDesk } from "./task-desk.ts"
import { createTaskMessages } from "./task-messages.ts"
import { createTaskNotices } from "./task-notices.ts"
import { createTaskReads } from "./task-reads.ts"
import { createTaskRecords } from "./task-records.ts"
import { createTaskRunner } from "./task-runner.ts"
import { createTaskUsage } from "./task-usage.ts"
import type { Tasks } from "./tasks.ts"
import type { TasksDeps } from "./tasks-deps.ts"
import { backgroundElsewhere, endedElsewhere, endedError, isElsewhere } from "./tasks-elsewhere.ts"

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
  const own: TaskDesk = { ...deps, live, slots, records, stop, runner }
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
        if (entry !== undefined) entry.isLeft = true
      }
    },
    giveUp(id, reason) {
      const entry = live.byID(id)
      // Another process has the tree, with what works in it.
      if (entry !== undefined && reason instanceof StaleTurnError) entry.isLeft = true
      if (entry?.isLeft) return own.records.end(entry, { state: entry.task.state })
      const isHeld = entry?.task.state === "awaiting_review"
      // Its turns are stopped by who stops all that works for them, unless it was launched only now.
      if (entry?.ending && reason instanceof PersonGone) return entry.ended.promise
      return isHeld && (isEndOfProcess(reason) || reason instanceof PersonGone)
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
    hear({ id, mode, state }) {
      const entry = live.byID(id)
      if (entry === undefined || mode !== "background" || entry.task.mode === mode || isEnded({ state })) return
      entry.task = { ...entry.task, mode }
      entry.released.resolve()
    },
    workFor: (people) => live.workingFor(people).map(({ task }) => task),
    stopFor: (people, reason) => stopFor(own, people, reason),
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
