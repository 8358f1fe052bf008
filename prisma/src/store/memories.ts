import type { Memory } from "@docket/core/schema"
import { DocketError, type MemoryStore } from "@docket/core/store"
import { MissingParentError, type Program, query, upsert, type Value } from "../sql/program.ts"
import { shapes } from "./row-shapes.ts"
import { memoryRow, tagText } from "./rows.ts"
import type { Scope } from "./scope.ts"
import { storedList } from "./stored.ts"

type MemoryQuery = Parameters<MemoryStore["list"]>[0]

/** @throws DocketError session_not_found when it is pinned to a session that does not exist */
export function* putMemory({ tenantID }: Scope, memory: Memory): Program<void> {
  try {
    yield* upsert("Memory", [memoryRow(tenantID, memory)])
  } catch (error) {
    if (!(error instanceof MissingParentError)) throw error
    throw new DocketError("session_not_found", `there is no session ${memory.sessionID} to pin a memory to`, {
      cause: error,
    })
  }
}

export function* listMemories(scope: Scope, list: MemoryQuery): Program<Memory[]> {
  const { tenantID, dialect } = scope
  const params: Value[] = [tenantID, list.limit]
  const param = (value: Value) => `$${params.push(value)}`
  const conditions = [`"tenantID" = $1`]
  if (list.all !== true) conditions.push(`"invalidated" = FALSE`)
  if (list.types) conditions.push(list.types.length > 0 ? `"type" IN (${list.types.map(param).join(", ")})` : "FALSE")
  if (list.tag !== undefined) conditions.push(dialect.holds(`"tags"`, param(tagText(list.tag))))
  const visible = visibility(list, param)
  if (visible.length > 0) conditions.push(`(${visible.join(" OR ")})`)
  const rows = yield* query(
    `SELECT "data" FROM "Memory" WHERE ${conditions.join(" AND ")} ORDER BY "created" DESC, "id" DESC LIMIT $2`,
    ...params,
  )
  return storedList(scope, shapes.Memory, rows)
}

/** Any of these makes an entry part of the list; none of them: all are. */
function visibility({ projectID, sessionID }: MemoryQuery, param: (value: Value) => string): string[] {
  if (projectID === undefined && sessionID === undefined) return []
  const visible = [`("projectID" IS NULL AND "sessionID" IS NULL)`]
  if (sessionID !== undefined) visible.push(`"sessionID" = ${param(sessionID)}`)
  if (projectID !== undefined) {
    const unpinned = sessionID === undefined ? "" : ` AND "sessionID" IS NULL`
    visible.push(`("projectID" = ${param(projectID)}${unpinned})`)
  }
  return visible
}
