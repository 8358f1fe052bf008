import type { TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import { taskTracks } from "./task-tracks.ts"

const minute = 60_000

function task(number: number, started: number, ended: number | null): TaskSummary {
  // Only the fields that bars read.
  return {
    id: `tsk_${number}`,
    sessionID: `ses_${number}`,
    time: { created: started, started, ended },
  } as unknown as TaskSummary
}

it("a running task's bar is measured against the drawn tasks only", () => {
  const first = task(1, 0, 2 * minute)
  const second = task(2, 4 * minute, null)
  const third = task(3, 5 * minute, null)
  const now = 6 * minute
  const running = taskTracks([second, third], {}, now).layout
  expect(running.total).toBe(2 * minute)
  expect(running.lanes).toEqual([
    [{ kind: "work", from: 0, until: null }],
    [{ kind: "work", from: minute, until: null }],
  ])
  const withFirst = taskTracks([second, third, first], {}, now)
  expect(withFirst.layout.total).toBe(6 * minute)
  expect(withFirst.layout.lanes[withFirst.place.get("tsk_1") ?? -1]).toEqual([
    { kind: "work", from: 0, until: 2 * minute },
  ])
})

it("bars of ended tasks are as long as their work", () => {
  const { layout } = taskTracks([task(1, minute, 2 * minute), task(2, minute, 5 * minute)], {}, 90 * minute)
  const lengths = layout.lanes.map(([span]) => ((span?.until ?? 0) - (span?.from ?? 0)) / layout.total)
  expect(lengths).toEqual([0.25, 1])
})
