import type { Todo, TodoChange } from "../../ground/schema/index.ts"
import { workSpans } from "./work-spans.ts"

/**
 * The todos that were worked on at a time (epoch ms), as they are called now: what a part of that time served. `changes`
 * are those of a list, in any order; a todo that is gone served nothing that can be named.
 */
export function servedAt(changes: readonly TodoChange[], todos: readonly Todo[], at: number): Todo[] {
  const byTodo = Map.groupBy(changes, ({ todoID }) => todoID)
  return todos.filter(({ id }) =>
    workSpans(byTodo.get(id) ?? []).some(
      ({ startedAt, endedAt }) => startedAt <= at && (endedAt === null || at < endedAt),
    ),
  )
}
