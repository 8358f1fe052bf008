import type { ScheduleRun } from "@docket/core/schema"
import { DocketError, records, type ScheduleStore } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import { MissingParentError } from "../sql/database-errors.ts"
import { reserveNumbers } from "./counters.ts"
import { data, maxInt, type StoreScope } from "./store-scope.ts"

export function scheduleStore(scope: StoreScope): ScheduleStore {
  const { tenantID, read, write } = scope
  return {
    async put(value) {
      const row = rowOf(records.Schedule, { tenantID }, value)
      const where = { tenantID_id: { tenantID, id: value.id } }
      await write(({ schedule }) => schedule.upsert({ where, create: row, update: row, select: { id: true } }))
    },
    async get(id) {
      const where = { tenantID_id: { tenantID, id } }
      const row = await read(({ schedule }) => schedule.findUnique({ where, select: data }))
      return storedOrNull(scope, records.Schedule, row)
    },
    async byNumber(number) {
      if (number > maxInt) return null
      const row = await read(({ schedule }) => schedule.findFirst({ where: { tenantID, number }, select: data }))
      return storedOrNull(scope, records.Schedule, row)
    },
    async remove(id) {
      await write(({ schedule }) => schedule.deleteMany({ where: { tenantID, id } }))
    },
    async list(projectID) {
      const where = { tenantID, ...(projectID !== undefined && { projectID }) }
      const rows = await read(({ schedule }) =>
        schedule.findMany({ where, orderBy: [{ created: "desc" }, { id: "desc" }], select: data }),
      )
      return storedList(scope, records.Schedule, rows)
    },
    async due(now) {
      const where = { tenantID, status: "active", nextFireAt: { lte: now } }
      const rows = await read(({ schedule }) =>
        schedule.findMany({ where, orderBy: [{ nextFireAt: "asc" }, { id: "asc" }], select: data }),
      )
      return storedList(scope, records.Schedule, rows)
    },
    putRun: (run) => putRun(scope, run),
    async runs({ id, scheduleID, status, since, limit }) {
      const where = {
        tenantID,
        ...(id !== undefined && { id }),
        ...(scheduleID !== undefined && { scheduleID }),
        ...(status !== undefined && { status }),
        ...(since !== undefined && { startedAt: { gte: since } }),
      }
      const rows = await read(({ scheduleRun }) =>
        scheduleRun.findMany({ where, orderBy: [{ startedAt: "desc" }, { id: "desc" }], take: limit, select: data }),
      )
      return storedList(scope, records.ScheduleRun, rows)
    },
    reserveNumber: () => reserveNumbers(scope, "schedule", 1),
  }
}

async function putRun({ tenantID, write }: StoreScope, run: ScheduleRun): Promise<void> {
  const row = rowOf(records.ScheduleRun, { tenantID }, run)
  const where = { tenantID_id: { tenantID, id: run.id } }
  try {
    await write(({ scheduleRun }) => scheduleRun.upsert({ where, create: row, update: row, select: { id: true } }))
  } catch (error) {
    if (!(error instanceof MissingParentError)) throw error
    throw new DocketError("schedule_not_found", `there is no schedule ${run.scheduleID} for run ${run.id}`, {
      cause: error,
    })
  }
}
