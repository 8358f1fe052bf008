import { expect, test } from "vitest"
import { root, todo, todoChange } from "../../contract/rows.ts"
import type { Todo, TodoStatus } from "../../ground/schema/index.ts"
import { servedAt } from "./work-spans.ts"

const session = root()

/** A todo that took these statuses at these times. */
function worked(content: string, ...steps: [status: TodoStatus, at: number][]) {
  const created = todo(session, 0, { content })
  const first = todoChange(null, created, { at: 0 })
  let now: Todo = created
  const changes = steps.map(([status, at]) => {
    const before = now
    now = { ...before, status }
    return todoChange(before, now, { at })
  })
  return { now, changes: [first, ...changes] }
}

test("a part belongs to the todos in progress when it began", () => {
  const parse = worked("Parse", ["in_progress", 10], ["completed", 20], ["in_progress", 40], ["completed", 50])
  const run = worked("Run", ["in_progress", 20])
  const [changes, todos] = [
    [...run.changes, ...parse.changes],
    [parse.now, run.now],
  ]
  const served = (at: number) => servedAt(changes, todos, at).map(({ content }) => content)
  expect([5, 10, 19, 20, 30, 45, 60].map(served)).toEqual([
    [],
    ["Parse"],
    ["Parse"],
    ["Run"],
    ["Run"],
    ["Parse", "Run"],
    ["Run"],
  ])
})
