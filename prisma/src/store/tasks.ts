import type { Task, TaskSummary } from "@docket/core/schema"
import { taskSummary } from "@docket/core/store"
import { number, type Program, query } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import type { Scope } from "./scope.ts"
import { storedList, storedOrNull } from "./stored.ts"

/** The newest task of a child session. */
export function* taskByChild(scope: Scope, sessionID: string): Program<Task | null> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "sessionID" = $2 ORDER BY "number" DESC, "id" DESC LIMIT 1`,
    tenantID,
    sessionID,
  )
  return storedOrNull(scope, shapes.Task, rows)
}

export function* taskByNumber(scope: Scope, rootID: string, taskNumber: number): Program<Task | null> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "rootID" = $2 AND "number" = CAST($3 AS BIGINT)
     ORDER BY "id" LIMIT 1`,
    tenantID,
    rootID,
    taskNumber,
  )
  return storedOrNull(scope, shapes.Task, rows)
}

export function* tasksOfTree(scope: Scope, rootID: string): Program<TaskSummary[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "rootID" = $2 ORDER BY "number", "id"`,
    tenantID,
    rootID,
  )
  return storedList(scope, shapes.Task, rows).map(taskSummary)
}

/** Queued and running tasks, oldest first, of one tree or of all. */
export function* openTasks(scope: Scope, rootID: string | undefined): Program<Task[]> {
  const { tenantID } = scope
  const condition = rootID === undefined ? "" : `AND "rootID" = $2`
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "state" IN ('queued', 'running') ${condition}
     ORDER BY "created", "id"`,
    ...(rootID === undefined ? [tenantID] : [tenantID, rootID]),
  )
  return storedList(scope, shapes.Task, rows)
}

/** Background tasks that have ended and whose parent was not told, oldest first. */
export function* untoldTasks(scope: Scope): Program<Task[]> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "state" = 'untold' ORDER BY "created", "id"`,
    tenantID,
  )
  return storedList(scope, shapes.Task, rows)
}

/** Tasks whose worktree is still on disk, by number, and how many more there are that cannot be read. */
export function* tasksWithWorktree(scope: Scope): Program<{ tasks: Task[]; unread: number }> {
  const { tenantID } = scope
  const rows = yield* query(
    `SELECT "data" FROM "Task" WHERE "tenantID" = $1 AND "worktree" IN ('active', 'ready', 'conflict')
     ORDER BY "number", "id"`,
    tenantID,
  )
  const tasks = storedList(scope, shapes.Task, rows)
  return { tasks, unread: rows.length - tasks.length }
}

export function* lastTaskNumber({ tenantID }: Scope, rootID: string): Program<number> {
  const [row] = yield* query(
    `SELECT MAX("number") AS "number" FROM "Task" WHERE "tenantID" = $1 AND "rootID" = $2`,
    tenantID,
    rootID,
  )
  return row && row.number !== null ? number(row, "number") : 0
}
