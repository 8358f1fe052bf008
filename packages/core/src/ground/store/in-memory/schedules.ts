import type { Records } from "../record/records-port.ts"
import { type ScheduleStore, scheduleRecord, scheduleRows, scheduleRunRecord } from "../record/schedule.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { rowsOf, type Tables } from "./tables.ts"

export function inMemorySchedules(tables: Tables, records: Records): ScheduleStore {
  const schedules = rowsOf(tables, scheduleRecord)
  const runs = rowsOf(tables, scheduleRunRecord)
  return {
    ...scheduleRows(records),
    async change(id, edit) {
      const schedule = schedules.get(id)
      if (schedule === undefined) return null
      const isRunningOf = ({ scheduleID, status }: { scheduleID: string; status: string }) =>
        scheduleID === id && status === "running"
      const changed = edit({ schedule, running: [...runs.values()].find(isRunningOf) ?? null })
      if (changed?.schedule !== undefined) schedules.set(id, frozenCopy(changed.schedule))
      if (changed?.run !== undefined) runs.set(changed.run.id, frozenCopy(changed.run))
      return changed
    },
  }
}
