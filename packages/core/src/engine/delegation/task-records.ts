import type { Task } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import { notesRead } from "../loop/session-notes.ts"
import type { LiveTask, LiveTasks } from "./live-tasks.ts"
import type { TaskNotices } from "./task-notices.ts"
import { proposeTodo } from "./task-todo.ts"
import type { TasksDeps } from "./tasks-deps.ts"

/** The rows of open tasks. */
export interface TaskRecords {
  /** Stores a new task, which gets the tree's next number, and more mutations before it. */
  putNew(entry: LiveTask, more: Mutation[]): Promise<void>
  /** Stores the task as it is in memory with a change, and more mutations with it. */
  put(entry: LiveTask, change: Partial<Task>, more?: Mutation[]): Promise<Task>
  /** The one place where a task reaches a terminal state; a second end changes nothing. */
  end(entry: LiveTask, change: Partial<Task> & { state: Task["state"] }): Promise<Task>
}

type Used = "sizeOf" | "store" | "journal" | "endings" | "notes" | "finishWorktree" | "todos" | "clock" | "onError"

export interface TaskRecordsDeps extends Pick<TasksDeps, Used> {
  live: LiveTasks
  notices: TaskNotices
}

export function createTaskRecords(deps: TaskRecordsDeps): TaskRecords {
  const put: TaskRecords["put"] = async (entry, change, more = []) => {
    if (entry.isLeft) return entry.task
    entry.task = { ...entry.task, ...change }
    await deps.journal.commit(entry.task.rootID, [...more, { kind: "task", value: entry.task }])
    return entry.task
  }
  const putEnd: TaskRecords["put"] = async (entry, change, more) => {
    const row = await deps.store.task.get(entry.task.id)
    if (row === null || !isEnded(row)) return put(entry, change, more)
    // Stored by an attempt that seemed to fail, or by a runtime that took the work over.
    entry.task = row
    return row
  }
  /** Whoever waits for it here waits no more. */
  const forget = (entry: LiveTask): Task => {
    const { task } = entry
    deps.live.remove(entry)
    entry.ended.resolve(task)
    entry.released.resolve()
    return task
  }
  const finish: TaskRecords["end"] = async (entry, change) => {
    entry.closed = true
    if (entry.timer !== null) clearTimeout(entry.timer)
    if (entry.isLeft) return forget(entry)
    // Nobody reads them now; a later task in the same session must not.
    const unread = notesRead(entry.child.id, await deps.notes.take(entry.child.id, "loud"))
    // Before the worktree is given up, which holds the snapshots.
    const size = await measured(deps, entry.task)
    const { result = null, worktree } = await deps.finishWorktree({ ...entry.task, ...change })
    const time = { ...entry.task.time, ended: deps.clock() }
    const { rootID } = entry.task
    // What it used is counted until then. When the process ends before, the next start marks it as interrupted.
    await deps.endings
      .store({ rootID }, () => putEnd(entry, { ...change, ...size, result, worktree, time }, unread))
      .then((task) => proposeTodo(deps, task), deps.onError)
    const task = forget(entry)
    if (task.mode === "background") deps.notices.soon(task.parentID).catch(deps.onError)
    return task
  }
  return {
    async putNew(entry, more) {
      const { id, rootID } = entry.task
      const changes = await deps.journal.commit(rootID, [...more, { kind: "task.new", value: entry.task }])
      for (const change of changes) {
        if (change.kind === "task" && change.value.id === id)
          entry.task = { ...entry.task, number: change.value.number }
      }
    },
    put,
    end(entry, change) {
      entry.end ??= finish(entry, change)
      return entry.end
    },
  }
}

/** How much a task has changed; what cannot be read keeps no task from its end. */
export async function measured(
  { sizeOf, onError }: Pick<TasksDeps, "sizeOf" | "onError">,
  task: Task,
): Promise<Pick<Task, "size">> {
  // It has not begun.
  if (task.time.started === null) return {}
  try {
    return { size: await sizeOf(task) }
  } catch (error) {
    onError(error)
    return {}
  }
}
