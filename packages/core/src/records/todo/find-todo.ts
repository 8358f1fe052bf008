import { DocketError } from "../../ground/error/docket-error.ts"
import type { Todo } from "../../ground/schema/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import { todoNumber } from "./dependencies.ts"

/** A todo by id or number (`14`, `#14`). */
export async function findTodo(store: TodoStore, ref: string | number): Promise<Todo | null> {
  const number = todoNumber(ref)
  return number === null ? store.get(String(ref)) : store.byNumber(number)
}

/** @throws todo_not_found */
export async function requireTodo(store: TodoStore, ref: string | number): Promise<Todo> {
  const found = await findTodo(store, ref)
  if (found !== null) return found
  const number = todoNumber(ref)
  const name = number === null ? String(ref) : `#${number}`
  throw new DocketError("todo_not_found", `There is no todo ${name}. List the todos to see their numbers.`)
}

export async function findTenantWide(store: TodoStore, ref: string | number): Promise<Todo | null> {
  const found = await findTodo(store, ref)
  return found?.sessionID === null ? found : null
}
