import type { Todo } from "../schema/index.ts"
import type { Mutation } from "./port.ts"
import { byPosition } from "./todo-order.ts"

/** The session's list after the mutation, by position. */
export function changedList(
  list: readonly Todo[],
  mutation: Extract<Mutation, { kind: "todos" | "todo" | "todo.remove" }>,
): Todo[] {
  switch (mutation.kind) {
    case "todos":
      return mutation.value.toSorted(byPosition)
    case "todo":
      return [...list.filter(({ id }) => id !== mutation.value.id), mutation.value].sort(byPosition)
    case "todo.remove":
      return list.filter(({ id }) => id !== mutation.todoID)
    default:
      return mutation satisfies never
  }
}
