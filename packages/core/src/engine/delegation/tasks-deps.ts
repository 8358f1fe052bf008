import type { Bus } from "../../ground/event/bus.ts"
import type { Endings } from "../../ground/event/endings.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { ReviewMark } from "../../ground/message/review-marks.ts"
import type { Caller, PromptPart, Session, Task, TaskSize, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { SessionNotes } from "../loop/session-notes.ts"
import type { LimitReached, StoppedByUser } from "../loop/stop-reason.ts"
import type { TreeTasks } from "../turn/tree-work.ts"
import type { TaskTodoDeps } from "./task-todo.ts"
import type { TreeBudgets } from "./tree-budgets.ts"

export interface TasksDeps extends TaskTodoDeps {
  store: Store
  journal: Journal
  bus: Bus
  endings: Endings
  createID: CreateId
  notes: SessionNotes
  budgets: TreeBudgets
  /** Queues a prompt; `mutations` commit together with its turn. */
  submit(session: Session, parts: PromptPart[], options: SubmitOptions): Promise<Turn>
  wait(turnID: string): Promise<Turn>
  /** Stops a session and everything under it, of which `tasks` are the tasks. The reason is the user's wish unless given. */
  abort(tasks: TreeTasks, sessionID: string, reason?: LimitReached | StoppedByUser): Promise<unknown>
  /** Whether a turn of the session runs, here or elsewhere. */
  isRunning(sessionID: string): Promise<boolean>
  /** Whether other runtimes on the same store may run tasks too: what is open and not here is theirs. */
  isShared: boolean
  /** What people say of a task now: the mark, and the reason of the newest verdict that makes it. */
  reviewOf(task: Task): Promise<{ mark: ReviewMark; reason: string }>
  /** Hears of what other runtimes store in a tree, until what it answers with is called. */
  follow(rootID: string): Promise<() => void>
  /** Children of the session that may run at once. */
  concurrencyOf(session: Session): Promise<number>
  /** Where long answers of a session are kept. */
  outputDirectory(sessionID: string): Promise<string>
  /** How much a task has changed by now. */
  sizeOf(task: Task): Promise<TaskSize>
  /** Ends the isolation of a task that is about to end, if it has one. What fails is told in the result. */
  finishWorktree(task: Task): Promise<Task>
}

export interface SubmitOptions {
  agent: string
  model: Task["model"] | null
  /** For whom the turn works. */
  cause: Caller | undefined
  mutations?: Mutation[]
}
