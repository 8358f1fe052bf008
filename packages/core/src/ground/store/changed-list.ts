import type { Todo } from "../schema/index.ts"
import type { Mutation } from "./port/index.ts"
import { byPosition } from "./todo-order.ts"

/** The session's list after the mutation; both are by position. */
export function changedList(
  list: readonly Todo[],
  mutation: Extract<Mutation, { kind: "todos" | "todo" | "todo.remove" }>,
): Todo[] {
  switch (mutation.kind) {
    case "todos":
      return mutation.value.toSorted(byPosition)
    case "todo":
      return inserted(
        list.filter(({ id }) => id !== mutation.value.id),
        mutation.value,
      )
    case "todo.remove":
      return list.filter(({ id }) => id !== mutation.todoID)
    default:
      return mutation satisfies never
  }
}

function inserted(list: Todo[], todo: Todo): Todo[] {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = list[middle]
    if (other !== undefined && byPosition(other, todo) < 0) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, todo)
  return list
}
