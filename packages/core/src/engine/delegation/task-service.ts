import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"

import type { Caller, Project, Session, Task, TaskSummary } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { isEnded } from "../../ground/store/task-ends.ts"
import type { AskedTask, ResumePrompt } from "./delegate-for-person.ts"
import type { TasksDeps } from "./live-tasks.ts"
import type { Tasks } from "./tasks.ts"
import type { Worktrees } from "./worktrees.ts"

export interface TaskService {
  /** All tasks of the tree that contains the session, by number. */
  list(sessionID: string): Promise<TaskSummary[]>
  /** @throws task_not_found */
  get(id: string): Promise<Task>
  /**
   * Starts a task in a child of the session, in the background. The caller reads its result by themselves: the session
   * is not told of the end. @throws agent_not_found, depth_limit, invalid_input
   */
  start(sessionID: string, asked: NewAskedTask): Promise<Task>
  /** Resolves when the task has ended, or with its state after `waitMs`. @throws task_not_found */
  wait(id: string, options: { waitMs: number; signal?: AbortSignal | undefined }): Promise<Task>
  /** Ends a queued or running task with everything under it; a task that ended stays as it is. */
  cancel(id: string): Promise<Task>
  /** Gives a running child a message that it reads before its next step. @throws task_ended */
  message(id: string, text: string): Promise<Task>
  /** Lets the parent continue without waiting. @throws task_ended */
  background(id: string): Promise<Task>
  /** Runs the same work again in a new child. */
  retry(id: string): Promise<Task>
  /** Resumes the child of an ended task with a new task, in the background. @throws invalid_input */
  resume(id: string, text: string): Promise<Task>
  /** Merges a finished task's branch into the project. The task's worktree lists conflicts. @throws review_required */
  merge(id: string): Promise<Task>
}

type NewAskedTask = Omit<AskedTask, "parent" | "by">

interface TaskServiceDeps {
  store: Store
  journal: Journal
  tasks: Tasks
  worktrees: Worktrees
  reviewOf: TasksDeps["reviewOf"]
  sessionByID(id: string): Promise<Session>
  /** Starts a task as a person asks for it. */
  start(asked: AskedTask): Promise<Task>
  projectOf(session: Session): Promise<Project>
  /** Runs the task again for a person, like one that the parent's agent started. */
  restart(task: Task, parent: Session, by: Caller): Promise<Task>
  /** The same in the child of the task, with another prompt. */
  resume(task: Task, parent: Session, prompt: ResumePrompt): Promise<Task>
}

/** What a user can do with tasks. */
export function createTaskService(deps: TaskServiceDeps, by: Caller): TaskService {
  return {
    list: async (sessionID) => deps.store.task.tree((await deps.sessionByID(sessionID)).rootID),
    get: deps.tasks.get,
    async start(sessionID, asked) {
      const child = asked.childID === undefined ? null : await deps.sessionByID(asked.childID)
      if (child !== null && child.parentID !== sessionID)
        throw new DocketError(
          "invalid_input",
          `The session ${child.id} is no child of ${sessionID}. Leave childID out.`,
        )
      const task = await deps.start({ ...asked, parent: await deps.sessionByID(sessionID), by })
      return deps.tasks.actedOn(task.id, by)
    },
    wait: (id, { waitMs, signal }) => deps.tasks.wait(id, { waitMs, ...(signal && { signal }) }),
    async cancel(id) {
      // The end of the task names the user who asked for it. An ended task is not changed.
      if (!isEnded(await deps.tasks.get(id))) await deps.tasks.actedOn(id, by)
      return deps.tasks.cancel(id, by)
    },
    async message(id, text) {
      await deps.tasks.message(id, text, { kind: "person" })
      return deps.tasks.actedOn(id, by)
    },
    async background(id) {
      await deps.tasks.background(id)
      return deps.tasks.actedOn(id, by)
    },
    async retry(id) {
      const task = await deps.tasks.get(id)
      assertEnded(task, "Cancel it first.")
      const restarted = await deps.restart(task, await deps.sessionByID(task.parentID), by)
      return deps.tasks.actedOn(restarted.id, by)
    },
    async resume(id, text) {
      const task = await deps.tasks.get(id)
      assertEnded(task, "Send it a message instead.")
      const next = await deps.resume(task, await deps.sessionByID(task.parentID), { by, prompt: text })
      return deps.tasks.actedOn(next.id, by)
    },
    async merge(id) {
      const task = await deps.tasks.get(id)
      if (task.worktree === null || !["ready", "conflict"].includes(task.worktree.state)) {
        throw new DocketError("invalid_input", `Task #${task.number} has no branch that waits to be merged.`)
      }
      await assertApproved(deps, task)
      const project = await deps.projectOf(await deps.sessionByID(task.parentID))
      const worktree = { ...(await deps.worktrees.merge(project, task.worktree)), by }
      // Read again, because the parent may have been notified meanwhile.
      const merged = { ...(await deps.tasks.get(id)), worktree, by }
      await deps.journal.commit(task.rootID, [{ kind: "task", value: merged }])
      return merged
    },
  }
}

async function assertApproved({ reviewOf }: TaskServiceDeps, task: Task): Promise<void> {
  if (task.review !== "required" || (await reviewOf(task)).status === "approved") return
  throw new DocketError(
    "review_required",
    `Task #${task.number} may be merged only once a person has approved it as it is now. Give it your verdict first.`,
  )
}

function assertEnded(task: Task, advice: string): void {
  if (!isEnded(task)) throw new DocketError("invalid_input", `Task #${task.number} has not ended. ${advice}`)
}
