import { DocketError } from "../../error/docket-error.ts"
import { Schedule, ScheduleRun } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"

export const scheduleRecord = defineRecord({
  name: "Schedule",
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
})

export const scheduleRunRecord = defineRecord({
  name: "ScheduleRun",
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
