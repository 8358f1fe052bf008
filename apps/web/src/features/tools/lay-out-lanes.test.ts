import type { TaskSummary } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { type LaneSpan, layOutLanes } from "./lay-out-lanes.ts"
import { recordSpans } from "./task-spans.ts"

const minute = 60_000

const work = (from: number, until: number | null): LaneSpan => ({ kind: "work", from, until })

describe("layOutLanes", () => {
  it("lays lanes over their common time", () => {
    const layout = layOutLanes(
      [[work(1_000, 1_050)], [{ kind: "queued", from: 1_000, until: 1_050 }, work(1_050, 1_100)]],
      9_000,
    )
    expect(layout).toMatchObject({ from: 1_000, until: 1_100, total: 100, cuts: [] })
    expect(layout.lanes[1]).toEqual([{ kind: "queued", from: 0, until: 50 }, work(50, 100)])
  })

  it("running work lasts until now", () => {
    const layout = layOutLanes([[work(1_000, null)], [work(1_000, 1_050)]], 1_200)
    expect(layout).toMatchObject({ until: null, total: 200 })
    expect(layout.lanes).toEqual([[work(0, null)], [work(0, 50)]])
  })

  it("shows the parent from the first task's begin to the last's end", () => {
    const parent = [work(0, 500), work(900, 1_100), { kind: "rest" as const, from: 1_100, until: null }]
    const layout = layOutLanes([[work(1_000, 1_200)]], 5_000, [parent])
    expect(layout.lanes).toEqual([[work(0, 100), { kind: "rest", from: 100, until: 200 }], [work(0, 200)]])
  })

  it("cuts long idle time out and marks the place", () => {
    const layout = layOutLanes([[work(0, minute)], [work(600 * minute, 601 * minute)]], 900 * minute)
    expect(layout.cuts).toHaveLength(1)
    expect(layout.total).toBeCloseTo(2 * minute * 1.02)
    expect(layout.lanes[1]?.[0]).toMatchObject({ until: layout.total })
  })

  it("converts times to positions and back, also across cut idle time", () => {
    const layout = layOutLanes([[work(0, minute)], [work(600 * minute, 601 * minute)]], 900 * minute)
    for (const time of [0, minute / 2, minute, 600 * minute, 600.5 * minute])
      expect(layout.timeAt(layout.placeOf(time))).toBeCloseTo(time)
    expect(layout.timeAt(layout.cuts[0] ?? 0)).toBe(minute)
    expect(layout.placeOf(300 * minute)).toBe(minute)
  })

  it("a lane without spans begins now and has no end", () => {
    expect(layOutLanes([[]], 5)).toMatchObject({ lanes: [[]], total: 1, from: 5, until: null })
  })
})

describe("recordSpans", () => {
  const record = (time: TaskSummary["time"], moments?: TaskSummary["moments"]) =>
    // Only the fields that the code reads.
    ({ time, moments }) as TaskSummary

  it("shows the wait in the queue before the work, with milestones", () => {
    const moments = [
      { kind: "error" as const, from: 70, until: 70 },
      { kind: "wait" as const, from: 80, until: 90 },
    ]
    expect(recordSpans(record({ created: 10, started: 50, ended: 100 }, moments), null)).toEqual([
      { kind: "queued", from: 10, until: 50 },
      work(50, 100),
      ...moments,
    ])
    expect(recordSpans(record({ created: 10, started: null, ended: 30 }), null)).toEqual([
      { kind: "queued", from: 10, until: 30 },
    ])
  })

  it("shows an open request until it is answered or the task ends", () => {
    const wait = { kind: "wait", from: 60, until: null }
    expect(recordSpans(record({ created: 10, started: 10, ended: null }), 60)).toEqual([work(10, null), wait])
    expect(recordSpans(record({ created: 10, started: 10, ended: 80 }), 60)).toEqual([work(10, 80)])
  })
})
