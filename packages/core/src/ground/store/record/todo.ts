import { Todo, TodoChange } from "../../schema/index.ts"
import { todoRank } from "../todo-order.ts"
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
  // Of the session whose list has the item; null for one of the tenant.
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
