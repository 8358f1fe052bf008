import type { Endings } from "../event/endings.ts"
import type { Journal } from "../event/journal.ts"
import type { CreateId } from "../id/create-id.ts"
import type { SessionNotes } from "../loop/session-notes.ts"
import type { LimitReached } from "../loop/stop-reason.ts"
import type { PromptPart, Session, Task, Turn } from "../schema/index.ts"
import type { Mutation, Store } from "../store/index.ts"
import type { TaskTodoDeps } from "./task-todo.ts"
import type { TreeBudgets } from "./tree-budgets.ts"

export interface TasksDeps extends TaskTodoDeps {
  store: Store
  journal: Journal
  endings: Endings
  createID: CreateId
  notes: SessionNotes
  budgets: TreeBudgets
  /** Queues a prompt; `mutations` commit together with its turn. */
  submit(session: Session, parts: PromptPart[], options: SubmitOptions): Promise<Turn>
  wait(turnID: string): Promise<Turn>
  /** Stops a session and everything under it, of which `tasks` are the tasks. The reason is the user's wish unless given. */
  abort(tasks: TreeTasks, sessionID: string, reason?: LimitReached): Promise<void>
  isRunning(sessionID: string): boolean
  /** Whether other runtimes on the same store may run tasks too: what is open and not here is theirs. */
  isShared: boolean
  /** Where long answers of a session are kept. */
  outputDirectory(sessionID: string): Promise<string>
  /** Ends the isolation of a task that is about to end, if it has one. What fails is told in the result. */
  finishWorktree(task: Task): Promise<Task>
}

/** The tasks of sessions that are being stopped. */
export interface TreeTasks {
  /** Cancels tasks that these sessions started. */
  stopUnder(sessionIDs: string[], reason: Error): Promise<void>
  /** Resolves when no task of or in these sessions is open. */
  ended(sessionIDs: string[]): Promise<void>
}

export interface SubmitOptions {
  agent: string
  model: Task["model"] | null
  mutations?: Mutation[]
}
