import { DocketError } from "../../ground/error/docket-error.ts"
import type { Session, Task, TaskError } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { NewTask } from "./new-task.ts"

/** An open task with what its row cannot hold. */
export interface LiveTask {
  task: Task
  child: Session
  request: NewTask
  ended: PromiseWithResolvers<Task>
  /** Resolves when the parent need not wait any more: it has ended, or was sent to the background. */
  released: PromiseWithResolvers<void>
  /** Why it is being ended from outside. */
  ending: { state: "cancelled" | "timed_out" | "failed"; error: TaskError } | null
  timer: NodeJS.Timeout | null
  /** Why its clock stands still, in numbers, and what is left on it (ms; null for no limit). */
  pauses: number
  left: number | null
  /** Set while it is held for a review: something happened that may decide. */
  wake: (() => void) | null
  /** The child's last turn is over: it reads no more messages. */
  closed: boolean
  /** Another process goes on with it: nothing more is stored of it here. */
  isLeft: boolean
  /** Set once it is being ended. */
  end: Promise<Task> | null
}

/** The open tasks of this process, by id and by child session. */
export interface LiveTasks {
  add(task: Task, request: NewTask): LiveTask
  remove(entry: LiveTask): void
  byID(id: string): LiveTask | undefined
  byChild(sessionID: string): LiveTask | undefined
  /** The one that a call started, by its part. */
  byCall(partID: string): LiveTask | undefined
  /** The tasks that a session works for, nearest first. */
  chain(sessionID: string): LiveTask[]
  /** Open tasks that these sessions started or that run in them. */
  around(sessionIDs: string[]): LiveTask[]
  inTree(rootID: string): LiveTask[]
  /** Those that work or wait for a slot for these people; what is done and held for a review does neither. */
  workingFor(people: ReadonlySet<string>): LiveTask[]
  /** The task as it is now, open or not. @throws task_not_found */
  get(id: string): Promise<Task>
}

export function createLiveTasks(store: Pick<Store, "task">): LiveTasks {
  const ids = new Map<string, LiveTask>()
  const children = new Map<string, LiveTask>()
  return {
    add(task, request) {
      const entry: LiveTask = {
        task,
        child: request.child,
        request,
        ended: Promise.withResolvers(),
        released: Promise.withResolvers(),
        ending: null,
        timer: null,
        pauses: 0,
        left: null,
        wake: null,
        closed: false,
        isLeft: false,
        end: null,
      }
      ids.set(task.id, entry)
      children.set(task.sessionID, entry)
      return entry
    },
    remove(entry) {
      ids.delete(entry.task.id)
      if (children.get(entry.task.sessionID) === entry) children.delete(entry.task.sessionID)
    },
    byID: (id) => ids.get(id),
    byChild: (sessionID) => children.get(sessionID),
    byCall: (partID) => [...ids.values()].find(({ task }) => task.partID === partID),
    chain(sessionID) {
      const found: LiveTask[] = []
      for (let entry = children.get(sessionID); entry !== undefined; entry = children.get(entry.task.parentID)) {
        found.push(entry)
      }
      return found
    },
    around(sessionIDs) {
      const wanted = new Set(sessionIDs)
      return [...ids.values()].filter(({ task }) => wanted.has(task.parentID) || wanted.has(task.sessionID))
    },
    inTree: (rootID) => [...ids.values()].filter(({ task }) => task.rootID === rootID),
    workingFor: (people) =>
      [...ids.values()].filter(
        ({ task }) => people.has(task.cause?.person ?? "") && task.state !== "awaiting_review" && !isEnded(task),
      ),
    async get(id) {
      const task = ids.get(id)?.task ?? (await store.task.get(id))
      if (task === null) throw new DocketError("task_not_found", `There is no task ${id}.`)
      return task
    },
  }
}
