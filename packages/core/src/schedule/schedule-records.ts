import { DocketError } from "../error/docket-error.ts"
import type { GlobalBus } from "../event/global-bus.ts"
import type { Schedule, ScheduleRun } from "../schema/index.ts"
import type { ScheduleStore } from "../store/index.ts"

/** Stored schedules and runs; every change is an event of the project, of no tree. */
export interface ScheduleRecords {
  /** @throws schedule_not_found */
  get(ref: string | number): Promise<Schedule>
  put(schedule: Schedule): Promise<Schedule>
  remove(schedule: Schedule): Promise<void>
  putRun(run: ScheduleRun, projectID: string): Promise<ScheduleRun>
}

export function createScheduleRecords(deps: { store: ScheduleStore; bus: GlobalBus }): ScheduleRecords {
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
      bus.publish({ projectID: schedule.projectID, event })
      return schedule
    },
    async remove({ id, projectID }) {
      await store.remove(id)
      const event = { ...outsideTrees, type: "schedule.removed", properties: { scheduleID: id } } as const
      bus.publish({ projectID, event })
    },
    async putRun(run, projectID) {
      await store.putRun(run)
      bus.publish({ projectID, event: { ...outsideTrees, type: "schedule.run.updated", properties: { run } } })
      return run
    },
  }
}
