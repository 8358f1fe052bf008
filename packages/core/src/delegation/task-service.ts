import { DocketError } from "../error.ts"
import type { Journal } from "../event/journal.ts"
import type { TaskService } from "../runtime-port.ts"
import type { Project, Session, Task } from "../schema/index.ts"
import type { Store } from "../store/index.ts"
import { isEnded } from "./task-answers.ts"
import type { Tasks } from "./tasks.ts"
import type { Worktrees } from "./worktrees.ts"

export interface TaskServiceDeps {
  store: Store
  journal: Journal
  tasks: Tasks
  worktrees: Worktrees
  sessionByID(id: string): Promise<Session>
  projectOf(session: Session): Promise<Project>
  /** Prompts the parent's agent for a task of a person's wish: it runs like one that the agent started. */
  restart(task: Task, parent: Session): Promise<Task>
}

/** What people do with tasks. */
export function createTaskService(deps: TaskServiceDeps): TaskService {
  return {
    list: async (sessionID) => deps.store.task.tree((await deps.sessionByID(sessionID)).rootID),
    get: deps.tasks.get,
    cancel: deps.tasks.cancel,
    message: (id, text) => deps.tasks.message(id, text, "the user"),
    background: deps.tasks.background,
    async retry(id) {
      const task = await deps.tasks.get(id)
      if (!isEnded(task)) throw new DocketError("invalid_input", `Task #${task.number} has not ended. Cancel it first.`)
      return deps.restart(task, await deps.sessionByID(task.parentID))
    },
    async merge(id) {
      const task = await deps.tasks.get(id)
      if (task.worktree === null || !["ready", "conflict"].includes(task.worktree.state)) {
        throw new DocketError("invalid_input", `Task #${task.number} has no branch that waits to be merged.`)
      }
      const project = await deps.projectOf(await deps.sessionByID(task.parentID))
      const worktree = await deps.worktrees.merge(project, task.worktree)
      // As it is by now: its parent may have been told meanwhile.
      const merged = { ...(await deps.tasks.get(id)), worktree }
      await deps.journal.commit(task.rootID, [{ kind: "task", value: merged }])
      return merged
    },
  }
}
