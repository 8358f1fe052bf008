import { Todo, TodoChange, type TodoStatus } from "../../schema/index.ts"
import { beginning, defineRecord } from "./define-record.ts"

export const todoRecord = defineRecord({
  name: "Todo",
  words: ["todo", "todos"],
  schema: Todo,
  owner: "session",
  columns: {
    number: "integer",
    content: "text",
    sessionID: "word?",
    rootID: "word?",
    status: "word",
    priority: "word",
    rank: "integer",
    position: "integer",
    agent: "text?",
    updated: "number",
  },
  numbered: "todo",
  // They name the session whose list has the item; null for a tenant-wide item.
  given: ["rootID", "sessionID"],
  values: ({ content, status, time }) => ({
    content: beginning(content),
    rank: todoRank(status),
    updated: time.updated,
  }),
})

export const todoChangeRecord = defineRecord({
  name: "TodoChange",
  words: ["change of todos", "changes of todos"],
  schema: TodoChange,
  owner: "session",
  columns: { todoID: "word", sessionID: "word?", at: "number", actor: "text" },
  values: ({ actor }) => ({ actor: actor.name }),
  isLog: true,
})

const ranks: Record<TodoStatus, number> = { in_progress: 0, pending: 1, completed: 2, cancelled: 3 }

/** The order of statuses in a list: items in progress first, cancelled ones last. */
export function todoRank(status: TodoStatus): number {
  return ranks[status]
}

/** The order of a session's list. */
export function byPosition(a: Todo, b: Todo): number {
  return a.position - b.position || (a.id < b.id ? -1 : 1)
}

/** The order of a listing: by rank of the status, then position, then most recently updated first. */
export function byRank(a: Todo, b: Todo): number {
  const ranked = todoRank(a.status) - todoRank(b.status) || a.position - b.position
  return ranked || b.time.updated - a.time.updated || (a.id < b.id ? -1 : 1)
}
