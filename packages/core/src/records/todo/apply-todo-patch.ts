import type { Todo } from "../../ground/schema/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import { changeTodo } from "./change-todo.ts"
import { requireAcyclic, requireUnblocked, resolveDependencies } from "./dependencies.ts"
import { findTenantWide } from "./find-todo.ts"
import type { TodoPatch } from "./todo-service.ts"

/**
 * The todo with the patch, a new place in its list excepted, or the same object when nothing differs.
 * @throws todo_not_found for an unknown dependency, todo_cycle, todo_blocked
 */
export async function applyTodoPatch(
  store: TodoStore,
  todo: Todo,
  patch: Omit<TodoPatch, "position">,
  now: number,
): Promise<Todo> {
  const { dependsOn: refs, exactPosition: position, ...fields } = patch
  const lookup = (id: string) => store.get(id)
  const dependsOn = refs === undefined ? todo.dependsOn : await dependencyIDs(store, todo, refs)
  const next = changeTodo(todo, { ...fields, position, dependsOn }, now)
  if (refs !== undefined) await requireAcyclic(next, lookup)
  if (next.status === "in_progress" && todo.status !== "in_progress") await requireUnblocked(next, lookup)
  return next
}

async function dependencyIDs(store: TodoStore, todo: Todo, refs: string[]): Promise<string[]> {
  const list = todo.sessionID === null || refs.length === 0 ? [] : await store.list(todo.sessionID)
  return resolveDependencies(refs, list, (ref) => findTenantWide(store, ref))
}
