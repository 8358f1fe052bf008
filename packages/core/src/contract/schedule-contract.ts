import { expect, it } from "vitest"
import type { ScheduleChange, ScheduleState } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { newId, putRun, schedule, scheduleRun } from "./rows.ts"

export function scheduleContract(open: OpenStore): void {
  it("keeps, changes and removes schedules, found by id and number", async () => {
    const store = await open()
    const value = schedule(await store.schedule.reserveNumber(), { sessionID: newId("session") })
    expect([value.number, await store.schedule.reserveNumber()]).toEqual([1, 2])
    await store.schedule.put(value)
    const paused = { ...value, status: "paused" as const }
    await store.schedule.put(paused)
    expect([await store.schedule.get(value.id), await store.schedule.byNumber(1)]).toEqual([paused, paused])
    await store.schedule.remove(value.id)
    expect([await store.schedule.get(value.id), await store.schedule.byNumber(1)]).toEqual([null, null])
  })

  it("lists schedules newest first, of a project or of all", async () => {
    const store = await open()
    const older = schedule(1)
    const newer = schedule(2, { time: { created: 2_000, updated: 2_000 } })
    await store.schedule.put(newer)
    await store.schedule.put(older)
    expect(await store.schedule.list()).toEqual([newer, older])
    expect(await store.schedule.list(older.projectID)).toEqual([older])
    expect(await store.schedule.list(newId("project"))).toEqual([])
  })

  it("finds active schedules that are due, earliest first", async () => {
    const store = await open()
    const second = schedule(1, { nextFireAt: 2_000 })
    const first = schedule(2, { nextFireAt: 1_000 })
    const others = [
      schedule(3, { nextFireAt: 2_001 }),
      schedule(4, { nextFireAt: null }),
      schedule(5, { nextFireAt: 1_000, status: "paused" }),
    ]
    for (const value of [second, first, ...others]) await store.schedule.put(value)
    expect(await store.schedule.due(2_000)).toEqual([first, second])
    await store.schedule.put({ ...first, nextFireAt: 9_000 })
    expect(await store.schedule.due(2_000)).toEqual([second])
  })

  it("keeps runs of a schedule, newest first, until the schedule is removed", async () => {
    const store = await open()
    const [a, b] = [schedule(1), schedule(2)]
    await store.schedule.put(a)
    await store.schedule.put(b)
    const first = scheduleRun(a)
    const second = scheduleRun(a, { startedAt: 2_000 })
    const other = scheduleRun(b, { startedAt: 3_000, status: "failed", error: "no model" })
    for (const run of [second, other, first]) await putRun(store, run)
    const ended = { ...first, status: "succeeded" as const, completedAt: 1_500, summary: "all well" }
    await putRun(store, ended)
    expect(await store.schedule.runs({ limit: 9 })).toEqual([other, second, ended])
    expect(await store.schedule.runs({ scheduleID: a.id, limit: 1 })).toEqual([second])
    expect(await store.schedule.runs({ status: "succeeded", limit: 9 })).toEqual([ended])
    expect(await store.schedule.runs({ since: 2_000, limit: 9 })).toEqual([other, second])
    expect(await store.schedule.runs({ id: second.id, limit: 9 })).toEqual([second])
    expect(await store.schedule.runs({ id: "run_x", limit: 9 })).toEqual([])
    // Changing a schedule keeps its runs.
    await store.schedule.put({ ...a, runCount: 2 })
    expect(await store.schedule.runs({ scheduleID: a.id, limit: 9 })).toEqual([second, ended])
    await store.schedule.remove(a.id)
    expect(await store.schedule.runs({ limit: 9 })).toEqual([other])
    expect(await store.schedule.change(a.id, () => ({ run: first }))).toBeNull()
    expect(await store.schedule.runs({ limit: 9 })).toEqual([other])
  })

  it("changes a schedule and its run by their present state", async () => {
    const store = await open()
    const value = schedule(1)
    const run = scheduleRun(value)
    await store.schedule.put(value)
    const states: ScheduleState[] = []
    const change = (to: ScheduleChange | null) =>
      store.schedule.change(value.id, (state) => {
        states.push(state)
        return to
      })
    const begun = { ...value, runCount: 1 }
    expect(await change({ schedule: begun, run })).toEqual({ schedule: begun, run })
    const ended: typeof run = { ...run, status: "failed", completedAt: 9_000 }
    expect(await change(null)).toBeNull()
    await change({ run: ended })
    await change(null)
    expect(states).toEqual([
      { schedule: value, running: null },
      { schedule: begun, running: run },
      { schedule: begun, running: run },
      { schedule: begun, running: null },
    ])
    await expect(
      store.schedule.change(value.id, () => {
        throw new Error("no")
      }),
    ).rejects.toThrow("no")
    expect(await store.schedule.get(value.id)).toEqual(begun)
    expect(await store.schedule.runs({ limit: 9 })).toEqual([ended])
  })

  it("makes one run of changes at once", async () => {
    const store = await open()
    const value = schedule(1)
    await store.schedule.put(value)
    const begin = () =>
      store.schedule.change(value.id, ({ schedule: { runCount, ...rest }, running }) =>
        running === null ? { schedule: { ...rest, runCount: runCount + 1 }, run: scheduleRun(value) } : null,
      )
    const all = await Promise.all([begin(), begin(), begin()])
    expect(all.filter((one) => one !== null)).toHaveLength(1)
    expect(await store.schedule.get(value.id)).toMatchObject({ runCount: value.runCount + 1 })
  })
}
