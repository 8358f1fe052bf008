import { momentOf } from "../../ground/id/moment-of.ts"
import type { Part, Todo, TodoChange } from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"
import type { Store } from "../../ground/store/index.ts"
import type { WorkSpan } from "./todo-service.ts"

/**
 * Spans of work on one item, oldest first: each from a change to `in_progress` to the next change of status. The part
 * ids are those of the tool calls that made the two changes; null for a change without a call, and for a span that has
 * not ended. Undone work does not count.
 */
export function workSpans(changes: TodoChange[]): WorkSpan[] {
  const spans: WorkSpan[] = []
  let open: WorkSpan | null = null
  for (const change of effectiveChanges(changes)) {
    const working = change.after?.status === "in_progress"
    if (open === null && working) {
      open = { fromPartID: change.partID, toPartID: null, startedAt: change.at, endedAt: null }
      spans.push(open)
    } else if (open !== null && !working) {
      open.toPartID = change.partID
      open.endedAt = change.at
      open = null
    }
  }
  return spans
}

interface Step {
  change: TodoChange
  before: Step | null
}

/**
 * The changes in effect, oldest first: without undone ones, with redone ones, and without the undo and redo entries
 * themselves. `changes` may be in any order.
 */
export function effectiveChanges(changes: TodoChange[]): TodoChange[] {
  const states: { moment: string; last: Step | null }[] = []
  let last: Step | null = null
  for (const change of changes.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (change.rewinds === undefined) last = { change, before: last }
    else {
      const to = momentOf(change.rewinds)
      last = states.findLast((state) => state.moment < to)?.last ?? null
    }
    states.push({ moment: momentOf(change.id), last })
  }
  const counted: TodoChange[] = []
  for (let step = last; step !== null; step = step.before) counted.push(step.change)
  return counted.reverse()
}

/** Messages read around the first change; a span that is longer certainly contains other work. */
const nearMessages = 6

/**
 * Whether the session did any work between two tool calls that changed an item: a call that is not about todos. Null
 * when a change was made without a call, or its call is gone.
 */
export async function workedBetween(
  store: Pick<Store["transcript"], "page">,
  sessionID: string,
  { fromPartID, toPartID }: { fromPartID: string | null; toPartID: string | null },
): Promise<boolean | null> {
  if (fromPartID === null || toPartID === null) return null
  const { items } = await store.page({ sessionID, around: fromPartID, limit: nearMessages })
  const parts = items.flatMap((message) => message.parts)
  const from = parts.findIndex(({ id }) => id === fromPartID)
  const to = parts.findIndex(({ id }) => id === toPartID)
  if (from < 0) return null
  return to < 0 || parts.slice(from + 1, to).some(isWork)
}

function isWork(part: Part): boolean {
  return part.type === "tool" && !todoTools.includes(part.tool)
}

/**
 * The todos, with their present contents, that were in progress at a time (epoch ms). `changes` are those of a list, in
 * any order; removed todos are left out.
 */
export function servedAt(changes: readonly TodoChange[], todos: readonly Todo[], at: number): Todo[] {
  const byTodo = Map.groupBy(changes, ({ todoID }) => todoID)
  return todos.filter(({ id }) =>
    workSpans(byTodo.get(id) ?? []).some(
      ({ startedAt, endedAt }) => startedAt <= at && (endedAt === null || at < endedAt),
    ),
  )
}
