import { isDeepStrictEqual } from "node:util"
import type { Todo, TodoStatus } from "../../ground/schema/index.ts"
import { isClosed } from "./is-closed.ts"
import type { TodoPatch } from "./todo-service.ts"

/**
 * The todo with the given fields set, or the same object when nothing differs. A change into a terminal
 * status stamps `completed`, reopening clears it, and `patch.completed` wins over both. Any change of status
 * settles a proposal, and what is closed takes none.
 */
export function changeTodo(
  todo: Todo,
  patch: Omit<TodoPatch, "dependsOn" | "exactPosition"> & { dependsOn?: string[] },
  now: number,
): Todo {
  const next: Todo = {
    ...todo,
    content: patch.content ?? todo.content,
    description: patch.description ?? todo.description,
    status: patch.status ?? todo.status,
    priority: patch.priority ?? todo.priority,
    position: patch.position ?? todo.position,
    dependsOn: patch.dependsOn ?? todo.dependsOn,
    owner: patch.owner === undefined ? todo.owner : patch.owner,
    proposed: patch.proposed === undefined ? todo.proposed : patch.proposed,
  }
  const moved = next.status !== todo.status
  if ((moved && patch.proposed === undefined) || isClosed(next.status)) next.proposed = null
  next.time = { ...todo.time, completed: completedTime(todo, next.status, patch.completed, now) }
  if (isDeepStrictEqual(next, todo)) return todo
  next.time.updated = now
  return next
}

function completedTime(todo: Todo, status: TodoStatus, given: number | null | undefined, now: number): number | null {
  if (given !== undefined) return given
  if (!isClosed(status)) return null
  return status === todo.status ? (todo.time.completed ?? now) : now
}
