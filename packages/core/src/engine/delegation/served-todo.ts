import type { TodoStore } from "../../ground/store/port/index.ts"
import { findTodo } from "../../records/todo/find-todo.ts"
import { openTodosOf } from "../../records/todo/open-todos-of.ts"

/**
 * The id of the todo that a task is to serve, named by id or number: an item of the session's own list, or one that
 * is tenant-wide.
 * @throws Error that lists the open ones when there is none
 */
export async function servedTodo(store: TodoStore, sessionID: string, ref: string): Promise<string> {
  const found = await findTodo(store, ref.trim())
  if (found !== null && (found.sessionID === null || found.sessionID === sessionID)) return found.id
  const open = await openTodosOf(store, sessionID)
  throw new Error(
    `There is no todo ${ref} that this session sees. ${open === null ? "It sees no open todos." : `Name one by its number. It sees ${open}`}`,
  )
}
