import type { Task, TaskSummary } from "../../schema/index.ts"

export interface TaskStore {
  get(id: string): Promise<Task | null>
  /** The newest task that runs or ran in this child session. */
  byChild(sessionID: string): Promise<Task | null>
  byNumber(rootID: string, number: number): Promise<Task | null>
  /** All tasks of the tree by number, with `result` cut to 500 characters. */
  tree(rootID: string): Promise<TaskSummary[]>
  /** Queued and running tasks of a tree or of all, oldest first. */
  open(rootID?: string): Promise<Task[]>
  /** Tasks that wait for a person's approval, oldest first. */
  held(): Promise<Task[]>
  /** Background tasks of a tree or of all that have ended and whose parent was not told, oldest first. */
  untold(rootID?: string): Promise<Task[]>
  /** Tasks whose worktree is active, ready or in conflict, and how many more of them cannot be read. */
  withWorktree(): Promise<{ tasks: Task[]; unread: number }>
}
