import type { Todo, TodoChange } from "../schema/index.ts"

/** Newest first. Ids of changes ascend with time, also within a millisecond. */
function newestFirst(a: TodoChange, b: TodoChange): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/**
 * A todo list as it was: `current` with every later change taken back. `at` is the id of the last change
 * that counts, or a time in epoch ms. `changes` holds all changes since then, in any order. Pure, for the
 * history scrubber.
 */
export function listAt(changes: TodoChange[], current: Todo[], at: string | number): Todo[] {
  const items = new Map(current.map((todo) => [todo.id, todo]))
  const later = changes.filter((change) => (typeof at === "number" ? change.at > at : change.id > at))
  for (const { todoID, before } of later.sort(newestFirst)) {
    if (before === null) items.delete(todoID)
    else items.set(todoID, before)
  }
  return [...items.values()].sort((a, b) => a.position - b.position || a.number - b.number)
}
