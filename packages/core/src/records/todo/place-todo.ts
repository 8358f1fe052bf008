import type { Todo } from "../../ground/schema/index.ts"
import { changeTodo } from "./change-todo.ts"

/** The list with the item at `index` (its old place is left), numbered from 0. Items that stay put are the same objects. */
export function placeTodo(list: Todo[], todo: Todo, index: number, now: number): Todo[] {
  const others = list.filter((member) => member.id !== todo.id)
  return others
    .toSpliced(index, 0, todo)
    .map((member, position) => (member.position === position ? member : changeTodo(member, { position }, now)))
}
