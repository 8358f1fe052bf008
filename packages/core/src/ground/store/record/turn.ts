import { Task, Turn } from "../../schema/index.ts"
import { isUntold } from "../task-ends.ts"
import { beginning, defineRecord } from "./define-record.ts"

export const turnRecord = defineRecord({
  name: "Turn",
  words: ["turn", "turns"],
  schema: Turn,
  owner: "session",
  columns: {
    rootID: "word",
    sessionID: "word",
    seq: "integer",
    status: "word",
    epoch: "integer",
    attempt: "integer",
    created: "number",
    ended: "number?",
  },
  given: ["rootID", "seq"],
  values: ({ time }) => ({ created: time.created, ended: time.ended }),
})

export const taskRecord = defineRecord({
  name: "Task",
  words: ["task", "tasks"],
  schema: Task,
  owner: "session",
  columns: {
    rootID: "word",
    parentID: "word",
    sessionID: "word",
    seq: "integer",
    number: "integer",
    state: "word",
    agent: "text",
    description: "text",
    worktree: "word?",
    created: "number",
    ended: "number?",
  },
  given: ["rootID", "seq"],
  values: (task) => ({
    state: isUntold(task) ? "untold" : task.state,
    description: beginning(task.description),
    worktree: task.worktree?.state ?? null,
    created: task.time.created,
    ended: task.time.ended,
  }),
})
