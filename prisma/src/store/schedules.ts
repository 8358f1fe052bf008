import { type Records, records, type ScheduleChange, type ScheduleStore, scheduleRows } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { stored } from "../row/stored.ts"
import { type Program, query, upsert } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/** Calls of records, and a program for what is done in one transaction. */
export function scheduleStore(scope: StoreScope, rows: Records): ScheduleStore {
  return {
    ...scheduleRows(rows),
    change: (id, edit) => scope.write({ program: () => change(scope, id, edit) }),
  }
}

function* change(
  { tenantID, dialect }: StoreScope,
  id: string,
  edit: Parameters<ScheduleStore["change"]>[1],
): Program<ScheduleChange | null> {
  // Locked, so that a change by another process waits for this one.
  const [row] = yield* query(
    `SELECT s."data" AS "data" FROM "Schedule" s WHERE s."tenantID" = $1 AND s."id" = $2 ${dialect.lockRows("s")}`,
    tenantID,
    id,
  )
  if (row === undefined) return null
  const [running] = yield* query(
    `SELECT "data" AS "data" FROM "ScheduleRun" WHERE "tenantID" = $1 AND "scheduleID" = $2 AND "status" = 'running'
     ORDER BY "startedAt", "id" LIMIT 1`,
    tenantID,
    id,
  )
  const changed = edit({
    schedule: stored(records.Schedule, row),
    running: running === undefined ? null : stored(records.ScheduleRun, running),
  })
  if (changed?.schedule) yield* upsert("Schedule", [rowOf(records.Schedule, { tenantID }, changed.schedule)])
  if (changed?.run) yield* upsert("ScheduleRun", [rowOf(records.ScheduleRun, { tenantID }, changed.run)])
  return changed
}
