import { DocketError } from "../../error/docket-error.ts"
import type { Schedule, ScheduleRun } from "../../schema/index.ts"
import type { ScheduleStore } from "../port/index.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { reserveNumbers, type Tables } from "./tables.ts"

export function inMemorySchedules(tables: Tables): ScheduleStore {
  const schedules = new Map<string, Schedule>()
  const runs = new Map<string, ScheduleRun>()
  const where = (wanted: (schedule: Schedule) => boolean) => [...schedules.values()].filter(wanted)
  return {
    async put(schedule) {
      schedules.set(schedule.id, frozenCopy(schedule))
    },
    get: async (id) => schedules.get(id) ?? null,
    byNumber: async (number) => where((schedule) => schedule.number === number)[0] ?? null,
    async remove(id) {
      schedules.delete(id)
      for (const run of runs.values()) if (run.scheduleID === id) runs.delete(run.id)
    },
    list: async (projectID) =>
      where((schedule) => (projectID ?? schedule.projectID) === schedule.projectID).sort(
        (a, b) => b.time.created - a.time.created || (a.id > b.id ? -1 : 1),
      ),
    due: async (now) =>
      where(({ status, nextFireAt }) => status === "active" && nextFireAt !== null && nextFireAt <= now).sort(
        (a, b) => (a.nextFireAt ?? 0) - (b.nextFireAt ?? 0) || (a.id < b.id ? -1 : 1),
      ),
    async putRun(run) {
      if (!schedules.has(run.scheduleID)) {
        throw new DocketError("schedule_not_found", `there is no schedule ${run.scheduleID} for run ${run.id}`)
      }
      runs.set(run.id, frozenCopy(run))
    },
    runs: async ({ id, scheduleID, status, since = 0, limit }) =>
      [...runs.values()]
        .filter((run) => (id ?? run.id) === run.id && run.startedAt >= since)
        .filter((run) => (scheduleID ?? run.scheduleID) === run.scheduleID && (status ?? run.status) === run.status)
        .sort((a, b) => b.startedAt - a.startedAt || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
    reserveNumber: async () => reserveNumbers(tables, "schedule", 1),
  }
}
