import { DocketError } from "../../error/docket-error.ts"
import type { Schedule } from "../../schema/index.ts"
import type { ScheduleStore } from "../port.ts"
import { frozenCopy } from "./frozen-copy.ts"
import { type MemoryState, reserveNumbers } from "./memory-state.ts"

export function createMemorySchedules(state: MemoryState): ScheduleStore {
  const where = (wanted: (schedule: Schedule) => boolean) => [...state.schedules.values()].filter(wanted)
  return {
    async put(schedule) {
      state.schedules.set(schedule.id, frozenCopy(schedule))
    },
    get: async (id) => state.schedules.get(id) ?? null,
    byNumber: async (number) => where((schedule) => schedule.number === number)[0] ?? null,
    async remove(id) {
      state.schedules.delete(id)
      for (const run of state.scheduleRuns.values()) if (run.scheduleID === id) state.scheduleRuns.delete(run.id)
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
      if (!state.schedules.has(run.scheduleID)) {
        throw new DocketError("schedule_not_found", `there is no schedule ${run.scheduleID} for run ${run.id}`)
      }
      state.scheduleRuns.set(run.id, frozenCopy(run))
    },
    runs: async ({ id, scheduleID, status, since = 0, limit }) =>
      [...state.scheduleRuns.values()]
        .filter((run) => (id ?? run.id) === run.id && run.startedAt >= since)
        .filter((run) => (scheduleID ?? run.scheduleID) === run.scheduleID && (status ?? run.status) === run.status)
        .sort((a, b) => b.startedAt - a.startedAt || (a.id > b.id ? -1 : 1))
        .slice(0, limit),
    reserveNumber: async () => reserveNumbers(state, "schedule", 1),
  }
}
