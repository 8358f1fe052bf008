import { Part, PermissionRequest, Project, Session, Share, Turn } from "@docket/core/schema"
import type { Store } from "@docket/core/store"
import type { Database } from "../sql/database.ts"
import { type Program, query } from "../sql/program.ts"
import type { TableName } from "../sql/tables.ts"
import { commit } from "./commit.ts"
import { changesSince } from "./feed.ts"
import { addGrants, grantsOf, pendingPermissions } from "./permissions.ts"
import { listProjects, projectByDirectory, putProject } from "./projects.ts"
import type { Scope } from "./scope.ts"
import { childByOrigin, listRoots, sessionsBy } from "./sessions.ts"
import { listShares, putShare, shareByHash } from "./shares.ts"
import { storedOrNull } from "./stored.ts"
import { reserveTodoNumbers, todoList, todoLists } from "./todos.ts"
import { openMessages, openToolParts, page, sinceCompaction } from "./transcript.ts"
import { head } from "./tree-sequence.ts"
import { claimTurn, openTurns } from "./turns.ts"

/** A store over an open database, of one tenant. Closing the store closes the database. */
export function createStore(database: Database, tenantID: string): Store {
  const scope: Scope = { tenantID, dialect: database.dialect }
  const { read, write } = database
  const byID = <T>(schema: Parameters<typeof storedOrNull<T>>[0], table: TableName, id: string) =>
    read(rowByID(scope, schema, table, id))
  return {
    write: {
      commit: (batches) => write(commit(scope, batches)),
      claimTurn: (turnID, now) => write(claimTurn(scope, turnID, now)),
      reserveTodoNumbers: (count) => write(reserveTodoNumbers(scope, count)),
    },
    feed: {
      head: (rootID) => read(head(scope, rootID)),
      changesSince: (rootID, seq, limit) => read(changesSince(scope, rootID, seq, limit)),
    },
    session: {
      get: (id) => byID(Session, "Session", id),
      listRoots: (list) => read(listRoots(scope, list)),
      tree: (rootID) => read(sessionsBy(scope, "rootID", rootID)),
      children: (parentID) => read(sessionsBy(scope, "parentID", parentID)),
      childByOrigin: (parentID, callID) => read(childByOrigin(scope, parentID, callID)),
    },
    transcript: {
      page: (request) => read(page(scope, request)),
      sinceCompaction: (sessionID) => read(sinceCompaction(scope, sessionID)),
      part: (partID) => byID(Part, "Part", partID),
      openToolParts: (sessionID) => read(openToolParts(scope, sessionID)),
      openMessages: (sessionID) => read(openMessages(scope, sessionID)),
    },
    todo: {
      list: (sessionID) => read(todoList(scope, sessionID)),
      tree: (rootID) => read(todoLists(scope, { rootID })),
    },
    permission: {
      get: (id) => byID(PermissionRequest, "PermissionRequest", id),
      pending: (rootID) => read(pendingPermissions(scope, rootID)),
      grants: (rootID) => read(grantsOf(scope, rootID)),
      addGrants: (grants) => write(addGrants(scope, grants)),
    },
    turn: {
      get: (id) => byID(Turn, "Turn", id),
      open: (of) => read(openTurns(scope, of ?? {})),
    },
    project: {
      get: (id) => byID(Project, "Project", id),
      byDirectory: (directory) => read(projectByDirectory(scope, directory)),
      list: () => read(listProjects(scope)),
      put: (project) => write(putProject(scope, project)),
    },
    share: {
      put: (share) => write(putShare(scope, share)),
      get: (id) => byID(Share, "Share", id),
      byHash: (hash) => read(shareByHash(scope, hash)),
      list: (rootID) => read(listShares(scope, rootID)),
    },
    close: database.close,
  }
}

function* rowByID<T>(
  { tenantID }: Scope,
  schema: Parameters<typeof storedOrNull<T>>[0],
  table: TableName,
  id: string,
): Program<T | null> {
  const rows = yield* query(`SELECT "data" FROM "${table}" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, id)
  return storedOrNull(schema, rows)
}
