import type { TaskState } from "@docket/core/schema"
import { taskStates } from "../task/task-state.ts"
import { asRecord, type JsonRecord, readList, readNumber, readString } from "./read-record.ts"

/** A task that a call speaks of, as it stood then. */
export interface TaskRef {
  id: string
  number: number | null
  sessionID: string | null
  agent: string
  description: string
  state: TaskState
}

/** The tasks in the metadata of `async_task_result`, `async_task_gather`, `async_task_cancel` and `task_message`. */
export function readTaskRefs(metadata: JsonRecord): TaskRef[] {
  const entries = readList(metadata, "tasks") ?? [metadata]
  return entries.flatMap((entry) => {
    const record = asRecord(entry)
    const id = readString(record, "taskId")
    if (id === null) return []
    return {
      id,
      number: readNumber(record, "number"),
      sessionID: readString(record, "sessionId"),
      agent: readString(record, "agent") ?? "subagent",
      description: readString(record, "description") ?? "Task",
      state: taskStates.find((name) => name === record.state) ?? "running",
    }
  })
}
