import type { LimitReached, StoppedByUser } from "../loop/stop-reason.ts"
import type { LiveTasks } from "./live-tasks.ts"
import type { Slots } from "./slots.ts"
import type { TaskRecords } from "./task-records.ts"
import type { TaskRunner } from "./task-runner.ts"
import type { TasksDeps } from "./tasks-deps.ts"

/** What the parts of the tasks of this process work with. */
export interface TaskDesk extends TasksDeps {
  live: LiveTasks
  slots: Slots
  records: TaskRecords
  runner: TaskRunner
  stop(sessionID: string, reason?: LimitReached | StoppedByUser): Promise<void>
}
