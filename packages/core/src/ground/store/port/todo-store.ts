import type { Todo, TodoChange, TodoStatus } from "../../schema/index.ts"

/** Which todos a listing takes. `session` is the union of the session's own items and the tenant-wide ones. */
export type TodoScope = { kind: "all" } | { kind: "tenant" } | { kind: "session"; sessionID: string }

export interface TodoStore {
  /** The session's own list, by position. */
  list(sessionID: string): Promise<Todo[]>
  /** The lists of all sessions of a tree, by session id. */
  tree(rootID: string): Promise<Record<string, Todo[]>>
  get(id: string): Promise<Todo | null>
  byNumber(number: number): Promise<Todo | null>
  /** In progress, pending, completed, cancelled; then by position; then most recently updated first. */
  find(query: {
    scope: TodoScope
    status?: TodoStatus | undefined
    agent?: string | undefined
    limit: number
  }): Promise<Todo[]>
  /** Inserts or replaces a tenant-wide item (its `sessionID` is null). */
  putTenantWide(todo: Todo, change: TodoChange): Promise<void>
  removeTenantWide(todoID: string, change: TodoChange): Promise<void>
  /** Changes of one item, or of a session's list, newest first. */
  history(query: { todoID?: string | undefined; sessionID?: string | undefined; limit: number }): Promise<TodoChange[]>
}
