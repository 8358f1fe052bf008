import { DocketError } from "../../error/docket-error.ts"
import { Schedule, ScheduleRun } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"
import { firstOf, type Records } from "./records-port.ts"

export const scheduleRecord = defineRecord({
  name: "Schedule",
  words: ["schedule", "schedules"],
  schema: Schedule,
  owner: "tenant",
  columns: {
    number: "integer",
    projectID: "word",
    status: "word",
    phrase: "text",
    nextFireAt: "number?",
    lastRunAt: "number?",
    created: "number",
  },
  values: ({ time }) => ({ created: time.created }),
  numbered: "schedule",
})

export const scheduleRunRecord = defineRecord({
  name: "ScheduleRun",
  words: ["run of a schedule", "runs of schedules"],
  schema: ScheduleRun,
  owner: { record: scheduleRecord, column: "scheduleID" },
  columns: {
    scheduleID: "word",
    status: "word",
    sessionID: "word?",
    startedAt: "number",
    completedAt: "number?",
  },
  orphan: ({ id, scheduleID }) =>
    new DocketError("schedule_not_found", `there is no schedule ${scheduleID} for run ${id}`),
})

/** A schedule, and the run of it that goes on: there is at most one. */
export interface ScheduleState {
  schedule: Schedule
  running: ScheduleRun | null
}

/** The new version of a schedule, of a run of it, or of both. */
export interface ScheduleChange {
  schedule?: Schedule
  run?: ScheduleRun
}

export interface ScheduleStore {
  put(schedule: Schedule): Promise<void>
  /**
   * Stores what `edit` makes of the present state; no other change comes between. `edit` has no effects: it may be called
   * again. Null when there is no such schedule, or `edit` answers null.
   */
  change(id: string, edit: (state: ScheduleState) => ScheduleChange | null): Promise<ScheduleChange | null>
  get(id: string): Promise<Schedule | null>
  byNumber(number: number): Promise<Schedule | null>
  /** Removes it with its runs. */
  remove(id: string): Promise<void>
  /** Newest first. */
  list(projectID?: string): Promise<Schedule[]>
  /** Active ones with `nextFireAt` at or before `now`, earliest first. */
  due(now: number): Promise<Schedule[]>
  /** Newest first. */
  runs(query: {
    id?: string | undefined
    scheduleID?: string | undefined
    status?: ScheduleRun["status"] | undefined
    /** Begun at or after this (ms). */
    since?: number | undefined
    limit: number
  }): Promise<ScheduleRun[]>
  reserveNumber(): Promise<number>
}

/** All of the port except what is done in one transaction. */
export function scheduleRows(records: Records): Omit<ScheduleStore, "change"> {
  return {
    put: (schedule) => records.put(scheduleRecord, [schedule]),
    get: (id) => records.get(scheduleRecord, id),
    byNumber: (number) => firstOf(records.find(scheduleRecord, { where: { number }, order: [], limit: 1 })),
    async remove(id) {
      await records.remove(scheduleRecord, { id })
    },
    list: (projectID) => records.find(scheduleRecord, { where: { projectID }, order: ["-created", "-id"] }),
    due: (now) =>
      records.find(scheduleRecord, {
        where: { status: "active", nextFireAt: { lte: now } },
        order: ["nextFireAt", "id"],
      }),
    runs: ({ id, scheduleID, status, since, limit }) => {
      const startedAt = since === undefined ? undefined : { gte: since }
      return records.find(scheduleRunRecord, {
        where: { id, scheduleID, status, startedAt },
        order: ["-startedAt", "-id"],
        limit,
      })
    },
    reserveNumber: () => records.reserve(scheduleRecord, 1),
  }
}
