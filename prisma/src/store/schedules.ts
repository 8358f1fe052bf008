import type { Schedule, ScheduleRun } from "@docket/core/schema"
import { DocketError, type ScheduleStore } from "@docket/core/store"
import { MissingParentError, type Program, query, upsert, type Value } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { scheduleRow, scheduleRunRow } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList } from "./stored.ts"

export function* putSchedule({ tenantID }: Scope, schedule: Schedule): Program<void> {
  yield* upsert("Schedule", [scheduleRow(tenantID, schedule)])
}

export function* listSchedules(scope: Scope, projectID: string | undefined): Program<Schedule[]> {
  const { tenantID } = scope
  const condition = projectID === undefined ? "" : `AND "projectID" = $2`
  const rows = yield* query(
    `SELECT "data" FROM "Schedule" WHERE "tenantID" = $1 ${condition} ORDER BY "created" DESC, "id" DESC`,
    ...(projectID === undefined ? [tenantID] : [tenantID, projectID]),
  )
  return storedList(scope, shapes.Schedule, rows)
}

export function* dueSchedules(scope: Scope, now: number): Program<Schedule[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Schedule" WHERE "tenantID" = $1 AND "status" = 'active' AND "nextFireAt" <= $2
     ORDER BY "nextFireAt", "id"`,
    tenantID,
    now,
  )
  return storedList(scope, shapes.Schedule, rows)
}

/** @throws DocketError schedule_not_found */
export function* putRun({ tenantID }: Scope, run: ScheduleRun): Program<void> {
  try {
    yield* upsert("ScheduleRun", [scheduleRunRow(tenantID, run)])
  } catch (error) {
    if (!(error instanceof MissingParentError)) throw error
    throw new DocketError("schedule_not_found", `there is no schedule ${run.scheduleID} for run ${run.id}`, {
      cause: error,
    })
  }
}

export function* scheduleRuns(
  scope: Scope,
  { id, scheduleID, status, since, limit }: Parameters<ScheduleStore["runs"]>[0],
): Program<ScheduleRun[]> {
  const { tenantID } = scope
  const params: Value[] = [tenantID, limit]
  const conditions = [`"tenantID" = $1`]
  if (id !== undefined) conditions.push(`"id" = $${params.push(id)}`)
  if (since !== undefined) conditions.push(`"startedAt" >= $${params.push(since)}`)
  if (scheduleID !== undefined) conditions.push(`"scheduleID" = $${params.push(scheduleID)}`)
  if (status !== undefined) conditions.push(`"status" = $${params.push(status)}`)
  const rows = yield* query(
    `SELECT "data" FROM "ScheduleRun" WHERE ${conditions.join(" AND ")} ORDER BY "startedAt" DESC, "id" DESC LIMIT $2`,
    ...params,
  )
  return storedList(scope, shapes.ScheduleRun, rows)
}
