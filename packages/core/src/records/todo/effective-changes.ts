import { momentOf } from "../../ground/id/moment-of.ts"
import type { TodoChange } from "../../ground/schema/index.ts"

interface Step {
  change: TodoChange
  before: Step | null
}

/**
 * The changes that count, oldest first: without those that an undo took back, and with those that a redo brought
 * back. Undo and redo themselves are none. `changes` may come in any order.
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
