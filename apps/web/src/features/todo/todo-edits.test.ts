import type { Todo } from "@docket/core/schema"
import { expect, it } from "vitest"
import { afterAnswer, afterList, applyEdits, openBlockers, type PendingEdit, type TodoEdit } from "./todo-edits.ts"

function todo(id: string, over: Partial<Todo> = {}): Todo {
  return {
    id,
    number: 1,
    sessionID: "ses_1",
    content: id,
    description: "",
    status: "pending",
    priority: "medium",
    position: 0,
    agent: null,
    dependsOn: [],
    owner: null,
    proposed: null,
    time: { created: 0, updated: 10, completed: null },
    ...over,
  }
}

const pending = (edit: TodoEdit, settled: PendingEdit["settled"] = null): PendingEdit => ({
  key: 1,
  edit,
  settled,
  arrived: [],
})
const list = [todo("a"), todo("b"), todo("c")]
const ids = (todos: Todo[]) => todos.map(({ id }) => id)

it("an edit is shown before the service has answered", () => {
  const added = pending({ kind: "add", id: "new", todo: todo("new") })
  const moved = pending({ kind: "update", id: "c", patch: { position: 0, status: "completed" } })
  const gone = pending({ kind: "remove", id: "a" })
  const shown = applyEdits(list, [added, moved, gone])
  expect(ids(shown)).toEqual(["c", "b", "new"])
  expect(shown[0]?.status).toBe("completed")
})

it("an edit is dropped once the live list shows its result", () => {
  const settled = todo("b", { content: "mine", time: { created: 0, updated: 20, completed: null } })
  const mine = pending({ kind: "update", id: "b", patch: { content: "mine" } }, settled)
  expect(applyEdits(list, [mine])[1]?.content).toBe("mine")
  const later = [todo("a"), { ...settled, content: "theirs", time: { ...settled.time, updated: 30 } }]
  expect(applyEdits(later, [mine])[1]?.content).toBe("theirs")
  const added = pending({ kind: "add", id: "new", todo: todo("new") }, todo("d"))
  expect(ids(applyEdits([...list, todo("d")], [added]))).toEqual(["a", "b", "c", "d"])
})

it("a shown edit never returns, so undo and other edits show", () => {
  const added = pending({ kind: "add", id: "new", todo: todo("new") }, todo("d"))
  expect(afterList([added], list)).toEqual([added])
  expect(afterList([added], [...list, todo("d")])).toEqual([])
  const gone = pending({ kind: "remove", id: "a" }, "removed")
  expect(afterList([gone], list)).toEqual([gone])
  expect(afterList([gone], [todo("b"), todo("c")])).toEqual([])
})

it("an edit whose result came and went before the answer is dropped", () => {
  const added = [pending({ kind: "add", id: "new", todo: todo("new") })]
  const overtaken = afterList(afterList(added, [...list, todo("d")]), list)
  expect(ids(applyEdits(list, overtaken))).toEqual(["a", "b", "c", "new"])
  expect(afterAnswer(overtaken, 1, todo("d"))).toEqual([])
  expect(afterAnswer(afterList(added, list), 1, todo("d"))).toEqual([{ ...added[0], settled: todo("d") }])
})

it("only open items count as blockers", () => {
  const blocked = todo("d", { dependsOn: ["a", "b"] })
  expect(ids(openBlockers(blocked, [todo("a", { status: "cancelled" }), todo("b"), blocked]))).toEqual(["b"])
})
