import { renderLines } from "../../ground/inline-command/render-result.ts"
import type { CommandLine } from "../../ground/schema/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import { openTodoLines } from "./open-todo-list.ts"

/** Most open items of each status that are read. */
const maxOpen = 1_000

/** The open todos visible to a session, its own and tenant-wide ones, as lines; null for none. */
export async function openTodoLinesOf(store: TodoStore, sessionID: string): Promise<CommandLine[] | null> {
  const scope = { kind: "session", sessionID } as const
  const active = await store.find({ scope, status: "in_progress", limit: maxOpen })
  const pending = await store.find({ scope, status: "pending", limit: maxOpen })
  return openTodoLines([...active, ...pending])
}

/** The same as text, as `/todo list` shows it to models. */
export async function openTodosOf(store: TodoStore, sessionID: string): Promise<string | null> {
  const lines = await openTodoLinesOf(store, sessionID)
  return lines === null ? null : renderLines(lines)
}
