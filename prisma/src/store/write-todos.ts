import type { Change } from "@docket/core/store"
import { MissingParentError, type Program, query, upsert } from "../sql/program.ts"
import { todoRow } from "./rows.ts"
import type { Scope } from "./scope.ts"

/** Replaces the lists that `changes` carry, each session's last one. */
export function* writeTodos({ tenantID }: Scope, changes: Change[]): Program<void> {
  const lists = new Map(changes.flatMap((change) => (change.kind === "todos" ? [[change.sessionID, change]] : [])))
  for (const { rootID, seq, sessionID, value } of lists.values()) {
    const session = yield* query(
      `UPDATE "Session" SET "todoSeq" = $1 WHERE "tenantID" = $2 AND "id" = $3 RETURNING "id"`,
      seq,
      tenantID,
      sessionID,
    )
    if (session.length === 0) throw new MissingParentError(`there is no session ${sessionID}`)
    yield* query(`DELETE FROM "Todo" WHERE "tenantID" = $1 AND "sessionID" = $2`, tenantID, sessionID)
    yield* upsert(
      "Todo",
      value.map((todo) => todoRow({ tenantID, rootID, seq }, sessionID, todo)),
    )
  }
}
