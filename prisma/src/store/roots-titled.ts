import { columnText, parseListCursor, type SessionStore } from "@docket/core/store"
import { type Program, query, text, type Value } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

export type RootQuery = Parameters<SessionStore["listRoots"]>[0]

/**
 * The ids of one page of root sessions whose title contains `search`. Not by Prisma's `contains`, which treats % and _
 * as wildcards, and ignores case on only one of the databases.
 */
export async function rootsTitled(scope: StoreScope, page: RootQuery, search: string): Promise<string[]> {
  return scope.read({ program: () => titled(scope, page, search) })
}

function* titled({ tenantID, dialect }: StoreScope, page: RootQuery, search: string): Program<string[]> {
  const params: Value[] = [tenantID, page.archived]
  const param = (value: Value) => `$${params.push(value)}`
  const conditions = [`"tenantID" = $1`, `"depth" = 0`, `"archived" = $2`]
  conditions.push(dialect.contains(`"title"`, param(columnText(search))))
  if (page.projectID !== undefined) conditions.push(`"projectID" = ${param(page.projectID)}`)
  if (page.cursor !== undefined) {
    const { updated, id } = parseListCursor(page.cursor)
    const time = param(updated)
    conditions.push(`("updated" < ${time} OR ("updated" = ${time} AND "id" > ${param(id)}))`)
  }
  const order = `ORDER BY "updated" DESC, "id" LIMIT ${param(page.limit + 1)}`
  const rows = yield* query(`SELECT "id" FROM "Session" WHERE ${conditions.join(" AND ")} ${order}`, ...params)
  return rows.map((row) => text(row, "id"))
}
