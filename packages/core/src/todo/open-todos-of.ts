import type { TodoStore } from "../store/port.ts"
import { openTodoList } from "./open-todo-list.ts"

/** Open items of each status that are counted. */
const maxOpen = 1_000

/** The open todos that a session sees, its own and the tenant-wide ones, as `/todo list` shows them; null for none. */
export async function openTodosOf(store: TodoStore, sessionID: string): Promise<string | null> {
  const scope = { kind: "session", sessionID } as const
  const active = await store.find({ scope, status: "in_progress", limit: maxOpen })
  const pending = await store.find({ scope, status: "pending", limit: maxOpen })
  return openTodoList([...active, ...pending])
}
