import type { TodoChange } from "../../ground/schema/index.ts"
import { effectiveChanges } from "./effective-changes.ts"
import type { WorkSpan } from "./todo-service.ts"

/**
 * The stretches of work on one item, oldest first: each from a change to `in_progress` to the next change
 * of status. The part ids are those of the tool calls that made the two changes; null for a change that no
 * call made, and for an end that is still to come. What was undone is no work.
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
