import type { Session } from "@docket/core/schema"
import {
  type Change,
  changedSession,
  DocketError,
  isSessionChange,
  records,
  type SessionChange,
} from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { stored } from "../row/stored.ts"
import { number, type Program, query, upsert } from "../sql/program.ts"
import type { Rows } from "../sql/tables.ts"
import type { Numbered } from "./numbered.ts"
import type { Scope } from "./scope.ts"

/**
 * Writes sessions and session patches: reads the existing rows, applies the mutations in order and writes each row
 * once.
 */
export function* writeSessions(scope: Scope, mutations: Numbered[]): Program<Map<Numbered, Change[]>> {
  const changes = new Map<Numbered, Change[]>()
  const ids = new Set(mutations.flatMap(({ mutation }) => sessionID(mutation) ?? []))
  if (ids.size === 0) return changes
  const current = yield* readSessions(scope, [...ids])
  const written = new Map<string, Rows["Session"]>()
  for (const numbered of mutations) {
    const { rootID, seq, mutation } = numbered
    const id = sessionID(mutation)
    if (id === null || !(mutation.kind === "session" || isSessionChange(mutation))) continue
    const before = current.get(id)
    const value = isSessionChange(mutation) ? changed(id, before?.value, mutation) : mutation.value
    const createdSeq = before?.createdSeq ?? seq
    current.set(id, { value, createdSeq })
    written.set(id, rowOf(records.Session, { tenantID: scope.tenantID, rootID, seq, createdSeq }, value))
    changes.set(numbered, [{ rootID, seq, kind: "session", value, created: before === undefined }])
  }
  yield* upsert(
    "Session",
    [...written.values()].sort((a, b) => a.depth - b.depth),
  )
  return changes
}

function sessionID(mutation: Numbered["mutation"]): string | null {
  if (mutation.kind === "session") return mutation.value.id
  return isSessionChange(mutation) ? mutation.sessionID : null
}

function changed(id: string, session: Session | undefined, change: SessionChange): Session {
  if (!session) throw new DocketError("session_not_found", `there is no session ${id}`)
  return changedSession(session, change)
}

function* readSessions(
  { tenantID, dialect }: Scope,
  ids: string[],
): Program<Map<string, { value: Session; createdSeq: number }>> {
  const rows = yield* query(
    `SELECT s."data" AS "data", s."createdSeq" AS "createdSeq"
     FROM ${dialect.jsonRows("$1", { id: "text" }, "r")}
     CROSS JOIN "Session" s WHERE s."tenantID" = $2 AND s."id" = r."id"`,
    JSON.stringify(ids.map((id) => ({ id }))),
    tenantID,
  )
  return new Map(
    rows.map((row) => {
      const value = stored(records.Session, row)
      return [value.id, { value, createdSeq: number(row, "createdSeq") }]
    }),
  )
}
