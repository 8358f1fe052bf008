import { Task, type TaskSummary } from "@docket/core/schema"
import { taskSummary } from "@docket/core/store"
import { number, type Program, query } from "../sql/program.ts"
import type { Scope } from "./scope.ts"
import { storedList, storedOrNull } from "./stored.ts"

/** The newest task of a child session. */
export function* taskByChild({ tenantID }: Scope, sessionID: string): Program<Task | null> {
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "sessionID" = $2 ORDER BY "number" DESC, "id" DESC LIMIT 1`,
    tenantID,
    sessionID,
  )
  return storedOrNull(Task, rows)
}

export function* taskByNumber({ tenantID }: Scope, rootID: string, taskNumber: number): Program<Task | null> {
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "rootID" = $2 AND "number" = CAST($3 AS BIGINT)
     ORDER BY "id" LIMIT 1`,
    tenantID,
    rootID,
    taskNumber,
  )
  return storedOrNull(Task, rows)
}

export function* tasksOfTree({ tenantID }: Scope, rootID: string): Program<TaskSummary[]> {
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "rootID" = $2 ORDER BY "number", "id"`,
    tenantID,
    rootID,
  )
  return storedList(Task, rows).map(taskSummary)
}

/** Queued and running tasks, oldest first, of one tree or of all. */
export function* openTasks({ tenantID }: Scope, rootID: string | undefined): Program<Task[]> {
  const condition = rootID === undefined ? "" : `AND "rootID" = $2`
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "state" IN ('queued', 'running') ${condition}
     ORDER BY "created", "id"`,
    ...(rootID === undefined ? [tenantID] : [tenantID, rootID]),
  )
  return storedList(Task, rows)
}

/** Background tasks that have ended and whose parent was not told, oldest first. */
export function* untoldTasks({ tenantID }: Scope): Program<Task[]> {
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "state" = 'untold' ORDER BY "created", "id"`,
    tenantID,
  )
  return storedList(Task, rows)
}

/** Tasks whose worktree is still on disk, by number. */
export function* tasksWithWorktree({ tenantID }: Scope): Program<Task[]> {
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "worktree" IN ('active', 'ready', 'conflict')
     ORDER BY "number", "id"`,
    tenantID,
  )
  return storedList(Task, rows)
}

export function* lastTaskNumber({ tenantID }: Scope, rootID: string): Program<number> {
  const [row] = yield* query(
    `SELECT MAX("number") AS "number" FROM "Task" WHERE "tenantID" = $1 AND "rootID" = $2`,
    tenantID,
    rootID,
  )
  return row && row.number !== null ? number(row, "number") : 0
}
