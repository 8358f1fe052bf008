import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Schedule, ScheduleRun } from "../../ground/schema/index.ts"
import type { ScheduleStore } from "../../ground/store/index.ts"

/** Stored schedules and runs; every change is an event of the project, of no tree. */
export interface ScheduleRecords {
  /** @throws schedule_not_found */
  get(ref: string | number): Promise<Schedule>
  put(schedule: Schedule): Promise<Schedule>
  remove(schedule: Schedule): Promise<void>
  putRun(run: ScheduleRun): Promise<ScheduleRun>
}

export function createScheduleRecords(deps: { store: ScheduleStore; bus: Bus }): ScheduleRecords {
  const { store, bus } = deps
  const outsideTrees = { rootID: null, seq: null }
  return {
    async get(ref) {
      const schedule = typeof ref === "number" ? await store.byNumber(ref) : await store.get(ref)
      if (schedule !== null) return schedule
      throw new DocketError("schedule_not_found", `There is no schedule ${typeof ref === "number" ? "#" : ""}${ref}.`)
    },
    async put(schedule) {
      await store.put(schedule)
      const event = { ...outsideTrees, type: "schedule.updated", properties: { schedule } } as const
      bus.publish(event)
      return schedule
    },
    async remove({ id }) {
      await store.remove(id)
      const event = { ...outsideTrees, type: "schedule.removed", properties: { scheduleID: id } } as const
      bus.publish(event)
    },
    async putRun(run) {
      await store.putRun(run)
      bus.publish({ ...outsideTrees, type: "schedule.run.updated", properties: { run } })
      return run
    },
  }
}
