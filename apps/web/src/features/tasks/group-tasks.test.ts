import { TaskState, type TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import { groupTasks } from "./group-tasks.ts"

function task(number: number, state: TaskState, created: number, started: number | null, ended: number | null) {
  const time = { created, started, ended }
  // Only the fields that groups read.
  return { id: `tsk_${number}`, number, state, parentID: "ses_1", agent: "explore", time } as unknown as TaskSummary
}

it("groupTasks leaves out no task, whatever its state", () => {
  const all = TaskState.options.map((state, index) => task(index + 1, state, 0, 0, null))
  const { held, running, queued, finished } = groupTasks(all)
  expect([...held, ...running, ...queued, ...finished].map((it) => it.number).toSorted()).toEqual(
    all.map((it) => it.number).toSorted(),
  )
  expect(held.map((it) => it.state)).toEqual(["awaiting_review"])
})

it("groupTasks numbers each parent's queue and lists the latest end first", () => {
  const other = { ...task(4, "queued", 0, null, null), parentID: "ses_2" }
  const groups = groupTasks([
    task(3, "queued", 0, null, null),
    other,
    task(1, "completed", 0, 0, 10),
    task(2, "cancelled", 0, 0, 20),
    task(5, "queued", 0, null, null),
  ])
  expect(groups.finished.map((it) => it.number)).toEqual([2, 1])
  expect([...groups.place]).toEqual([
    ["tsk_3", 1],
    ["tsk_4", 1],
    ["tsk_5", 2],
  ])
})
