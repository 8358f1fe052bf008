import type { Store } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import { type Program, query } from "../sql/program.ts"
import { commit } from "./commit.ts"
import { reserveNumbers } from "./counters.ts"
import { changesSince } from "./feed.ts"
import { findTodos, putTenantWide, removeTenantWide, todoHistory } from "./find-todos.ts"
import { listMemories, putMemory } from "./memories.ts"
import { addGrants, grantsOf, pendingPermissions } from "./permissions.ts"
import { listProjects, projectByDirectory, putProject } from "./projects.ts"
import { type RowShape, shapes } from "./row-shapes.ts"
import { dueSchedules, listSchedules, putRun, putSchedule, scheduleRuns } from "./schedules.ts"
import type { Scope } from "./scope.ts"
import { childByOrigin, listRoots, sessionsBy } from "./sessions.ts"
import { listShares, putShare, shareByHash } from "./shares.ts"
import { storedOrNull } from "./stored.ts"
import {
  lastTaskNumber,
  openTasks,
  taskByChild,
  taskByNumber,
  tasksOfTree,
  tasksWithWorktree,
  untoldTasks,
} from "./tasks.ts"
import { todoList, todoListsOfTree } from "./todos.ts"
import { openMessages, openToolParts, page, sinceCompaction } from "./transcript.ts"
import { head } from "./tree-sequence.ts"
import { listTrusts, putTrust, removeTrusts } from "./trusts.ts"
import { claimTurn, openTurns } from "./turns.ts"

/** A store over an open database, of one tenant. Closing it leaves the database open. */
export function createStore(database: Database, of: Omit<Scope, "dialect">): Store {
  const scope: Scope = { ...of, dialect: database.dialect }
  return { ...treeStores(database, scope), ...workStores(database, scope), ...recordStores(database, scope), close }
}

async function close(): Promise<void> {}

/** What belongs to session trees, but for their work. */
function treeStores({ read, write }: Database, scope: Scope) {
  return {
    write: {
      async commit(batches) {
        const changes = await write(commit(scope, batches))
        scope.lists.committed(scope.tenantID, changes)
        return changes
      },
      claimTurn: (turnID, now) => write(claimTurn(scope, turnID, now)),
      reserveTodoNumbers: (count) => write(reserveNumbers(scope, "todo", count)),
    },
    feed: {
      head: (rootID) => read(head(scope, rootID)),
      changesSince: (rootID, seq, limit) => read(changesSince(scope, rootID, seq, limit)),
    },
    session: {
      get: (id) => read(rowBy(scope, shapes.Session, { id })),
      listRoots: (list) => read(listRoots(scope, list)),
      tree: (rootID) => read(sessionsBy(scope, "rootID", rootID)),
      children: (parentID) => read(sessionsBy(scope, "parentID", parentID)),
      childByOrigin: (parentID, callID) => read(childByOrigin(scope, parentID, callID)),
    },
    transcript: {
      page: (request) => read(page(scope, request)),
      sinceCompaction: (sessionID) => read(sinceCompaction(scope, sessionID)),
      part: (id) => read(rowBy(scope, shapes.Part, { id })),
      openToolParts: (sessionID) => read(openToolParts(scope, sessionID)),
      openMessages: (sessionID) => read(openMessages(scope, sessionID)),
    },
    permission: {
      get: (id) => read(rowBy(scope, shapes.PermissionRequest, { id })),
      pending: (rootID) => read(pendingPermissions(scope, rootID)),
      grants: (rootID) => read(grantsOf(scope, rootID)),
      addGrants: (grants) => write(addGrants(scope, grants)),
    },
    turn: {
      get: (id) => read(rowBy(scope, shapes.Turn, { id })),
      open: (of) => read(openTurns(scope, of ?? {})),
    },
  } satisfies Partial<Store>
}

/** Todos and tasks. */
function workStores({ read, write }: Database, scope: Scope) {
  return {
    todo: {
      list: (sessionID) => read(todoList(scope, sessionID)),
      tree: (rootID) => read(todoListsOfTree(scope, rootID)),
      get: (id) => read(rowBy(scope, shapes.Todo, { id })),
      byNumber: (number) => read(rowBy(scope, shapes.Todo, { number })),
      find: (wanted) => read(findTodos(scope, wanted)),
      putTenantWide: (todo, change) => write(putTenantWide(scope, todo, change)),
      removeTenantWide: (todoID, change) => write(removeTenantWide(scope, todoID, change)),
      history: (of) => read(todoHistory(scope, of)),
    },
    task: {
      get: (id) => read(rowBy(scope, shapes.Task, { id })),
      byChild: (sessionID) => read(taskByChild(scope, sessionID)),
      byNumber: (rootID, number) => read(taskByNumber(scope, rootID, number)),
      tree: (rootID) => read(tasksOfTree(scope, rootID)),
      open: (rootID) => read(openTasks(scope, rootID)),
      untold: () => read(untoldTasks(scope)),
      withWorktree: () => read(tasksWithWorktree(scope)),
      lastNumber: (rootID) => read(lastTaskNumber(scope, rootID)),
    },
  } satisfies Partial<Store>
}

/** What belongs to no tree, and what points at one. */
function recordStores({ read, write }: Database, scope: Scope) {
  return {
    project: {
      get: (id) => read(rowBy(scope, shapes.Project, { id })),
      byDirectory: (directory) => read(projectByDirectory(scope, directory)),
      list: () => read(listProjects(scope)),
      put: (project) => write(putProject(scope, project)),
    },
    share: {
      put: (share) => write(putShare(scope, share)),
      get: (id) => read(rowBy(scope, shapes.Share, { id })),
      byHash: (hash) => read(shareByHash(scope, hash)),
      list: (rootID) => read(listShares(scope, rootID)),
    },
    trust: {
      list: (directory) => read(listTrusts(scope, directory)),
      put: (trust) => write(putTrust(scope, trust)),
      remove: (directory) => write(removeTrusts(scope, directory)),
    },
    memory: {
      put: (memory) => write(putMemory(scope, memory)),
      get: (id) => read(rowBy(scope, shapes.Memory, { id })),
      byNumber: (number) => read(rowBy(scope, shapes.Memory, { number })),
      remove: (id) => write(removeRecord(scope, "Memory", id)),
      list: (wanted) => read(listMemories(scope, wanted)),
      reserveNumber: () => write(reserveNumbers(scope, "memory", 1)),
    },
    schedule: {
      put: (schedule) => write(putSchedule(scope, schedule)),
      get: (id) => read(rowBy(scope, shapes.Schedule, { id })),
      byNumber: (number) => read(rowBy(scope, shapes.Schedule, { number })),
      remove: (id) => write(removeRecord(scope, "Schedule", id)),
      list: (projectID) => read(listSchedules(scope, projectID)),
      due: (now) => read(dueSchedules(scope, now)),
      putRun: (run) => write(putRun(scope, run)),
      runs: (wanted) => read(scheduleRuns(scope, wanted)),
      reserveNumber: () => write(reserveNumbers(scope, "schedule", 1)),
    },
  } satisfies Partial<Store>
}

function* rowBy<T>(scope: Scope, shape: RowShape<T>, key: { id: string } | { number: number }): Program<T | null> {
  // A number may be larger than the column's type can hold.
  const [condition, value] = "id" in key ? [`"id" = $2`, key.id] : [`"number" = CAST($2 AS BIGINT)`, key.number]
  const rows = yield* query(
    `SELECT "data" FROM "${shape.table}" WHERE "tenantID" = $1 AND ${condition}`,
    scope.tenantID,
    value,
  )
  return storedOrNull(scope, shape, rows)
}

/** Deletes the row; what belongs to it goes by foreign keys. */
function* removeRecord({ tenantID }: Scope, table: "Memory" | "Schedule", id: string): Program<void> {
  yield* query(`DELETE FROM "${table}" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, id)
}
