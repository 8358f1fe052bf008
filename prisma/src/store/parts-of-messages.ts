import type { Part } from "@docket/core/schema"
import { records } from "@docket/core/store"
import { storedList } from "../row/stored.ts"
import { type Program, query } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

/**
 * The parts of messages, sorted by message and id. A program, because a transcript has thousands of parts: the client
 * would read their keys as well, and here a list of ids is one parameter of any length.
 */
export function* partsOfMessages(scope: StoreScope, messageIDs: string[]): Program<Part[]> {
  const { tenantID, dialect } = scope
  const rows = yield* query(
    // IN and not JOIN: for a join, SQLite would read all parts and look each one up in the list.
    `SELECT "data" FROM "Part"
     WHERE "tenantID" = $2 AND "messageID" IN (SELECT r."id" FROM ${dialect.jsonRows("$1", { id: "text" }, "r")})
     ORDER BY "messageID", "id"`,
    JSON.stringify(messageIDs.map((id) => ({ id }))),
    tenantID,
  )
  return storedList(scope, records.Part, rows)
}
