import type { TaskState, TaskSummary } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { groupTasks } from "./group-tasks.ts"
import { layOutLanes } from "./lay-out-lanes.ts"

const minute = 60_000

function task(number: number, state: TaskState, created: number, started: number | null, ended: number | null) {
  const time = { created, started, ended }
  // Only the fields that groups and lanes read.
  return { id: `tsk_${number}`, number, state, parentID: "ses_1", agent: "explore", time } as unknown as TaskSummary
}

describe("layOutLanes", () => {
  it("gives few tasks a lane each, with the wait before the work", () => {
    const chart = layOutLanes([task(1, "completed", 0, 0, 50), task(2, "running", 0, 50, null)], 100)
    expect(chart).toMatchObject({ lanes: 2, busy: 100, folds: [] })
    expect(chart.spans[1]).toMatchObject({ waited: { x: 0, width: 50 }, ran: { x: 50, width: 50 } })
  })

  it("packs many tasks into as many lanes as ran at once", () => {
    const tasks = Array.from({ length: 40 }, (_, n) => {
      const start = Math.floor(n / 4) * 100
      return task(n + 1, "completed", 0, start, start + 100)
    })
    const chart = layOutLanes(tasks, 5_000)
    expect(chart.lanes).toBe(4)
    expect(chart.spans.every((span) => span.waited === null)).toBe(true)
  })

  it("cuts long idle time out and marks the place", () => {
    const chart = layOutLanes(
      [task(1, "completed", 0, 0, minute), task(2, "failed", 600 * minute, 600 * minute, 601 * minute)],
      900 * minute,
    )
    expect(chart.busy).toBe(2 * minute)
    expect(chart.folds).toHaveLength(1)
    expect(chart.spans[1]?.ran?.x).toBeGreaterThan(50)
    expect((chart.spans[1]?.ran?.x ?? 0) + (chart.spans[1]?.ran?.width ?? 0)).toBeCloseTo(100)
  })
})

it("groupTasks counts the queue of each parent by itself and puts the last end first", () => {
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
