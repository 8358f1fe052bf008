import type { Session } from "@docket/core/schema"
import { UnknownTreeError } from "@docket/core/store"
import { number, type Program, query, type Row, text } from "../sql/program.ts"
import type { Scope } from "./scope.ts"

/**
 * Creates the sequences of trees whose root is about to be written, in the places of their projects. Existing trees stay
 * unchanged; removed trees stay removed.
 */
export function* openTrees({ tenantID }: Scope, roots: readonly Pick<Session, "id" | "projectID">[]): Program<void> {
  for (const { id, projectID } of roots) {
    yield* query(
      `INSERT INTO "Tree" ("tenantID", "rootID", "seq", "alive", "place") VALUES ($1, $2, 0, TRUE,
         COALESCE((SELECT p."place" FROM "Project" p WHERE p."tenantID" = $1 AND p."id" = $3), ''))
       ON CONFLICT DO NOTHING`,
      tenantID,
      id,
      projectID,
    )
  }
}

/** A tree that is locked until commit. */
export interface NumberedTree {
  /** The last sequence number before those that were taken. */
  before: number
  place: string
}

/** Takes `counts` sequence numbers of each tree, which locks the trees. @throws UnknownTreeError */
export function* takeNumbers(
  scope: Pick<Scope, "tenantID" | "dialect">,
  counts: Map<string, number>,
): Program<Map<string, NumberedTree>> {
  const [first, ...others] = counts
  const rows = yield* first === undefined || others.length > 0 ? addToTrees(scope, counts) : addToTree(scope, first)
  const trees = new Map(
    rows.map((row) => {
      const rootID = text(row, "rootID")
      return [rootID, { before: number(row, "seq") - (counts.get(rootID) ?? 0), place: text(row, "place") }]
    }),
  )
  for (const rootID of counts.keys()) if (!trees.has(rootID)) throw new UnknownTreeError(rootID)
  return trees
}

/** Takes the next sequence number of one tree. @throws UnknownTreeError */
export function* takeNumber(scope: Pick<Scope, "tenantID" | "dialect">, rootID: string): Program<number> {
  const trees = yield* takeNumbers(scope, new Map([[rootID, 1]]))
  return (trees.get(rootID)?.before ?? 0) + 1
}

/** Most commits write to one tree; this statement takes a fifth of the general one's time. */
function* addToTree({ tenantID }: Pick<Scope, "tenantID">, [rootID, count]: [string, number]): Program<Row[]> {
  return yield* query(
    `UPDATE "Tree" SET "seq" = "seq" + $3 WHERE "tenantID" = $1 AND "rootID" = $2 AND "alive" = TRUE
     RETURNING "rootID" AS "rootID", "seq" AS "seq", "place" AS "place"`,
    tenantID,
    rootID,
    count,
  )
}

/**
 * Locks the trees in order of their ids, so that writers cannot deadlock. Not by `UPDATE … FROM`, for which SQLite
 * would read all trees of the tenant.
 */
function* addToTrees(
  { tenantID, dialect }: Pick<Scope, "tenantID" | "dialect">,
  counts: Map<string, number>,
): Program<Row[]> {
  const numbersPerTree = [...counts].map(([id, count]) => ({ id, count }))
  return yield* query(
    `WITH wanted AS (
       SELECT t."rootID", r."count"
       FROM ${dialect.jsonRows("$1", { id: "text", count: "integer" }, "r")} CROSS JOIN "Tree" t
       WHERE t."tenantID" = $2 AND t."rootID" = r."id" AND t."alive" = TRUE ORDER BY t."rootID" ${dialect.lockRows("t")}
     )
     UPDATE "Tree" SET "seq" = "seq" + (SELECT w."count" FROM wanted w WHERE w."rootID" = "Tree"."rootID")
     WHERE "tenantID" = $2 AND "rootID" IN (SELECT w."rootID" FROM wanted w)
     RETURNING "rootID" AS "rootID", "seq" AS "seq", "place" AS "place"`,
    JSON.stringify(numbersPerTree),
    tenantID,
  )
}

/** Locks one tree until commit. */
export function* lockTree({ tenantID, dialect }: Scope, rootID: string): Program<void> {
  yield* query(
    `SELECT t."seq" FROM "Tree" t WHERE t."tenantID" = $1 AND t."rootID" = $2 ${dialect.lockRows("t")}`,
    tenantID,
    rootID,
  )
}

/**
 * Marks the tree as removed and deletes all recorded removals in it, except the root's own, which the caller records.
 */
export function* closeTree({ tenantID }: Scope, rootID: string): Program<void> {
  yield* query(`UPDATE "Tree" SET "alive" = FALSE WHERE "tenantID" = $1 AND "rootID" = $2`, tenantID, rootID)
  yield* query(`DELETE FROM "Removal" WHERE "tenantID" = $1 AND "rootID" = $2`, tenantID, rootID)
}

export function* head({ tenantID }: Scope, rootID: string): Program<number | null> {
  const rows = yield* query(
    `SELECT "seq" FROM "Tree" WHERE "tenantID" = $1 AND "rootID" = $2 AND "alive" = TRUE`,
    tenantID,
    rootID,
  )
  return rows[0] ? number(rows[0], "seq") : null
}

export function* heads(
  { tenantID, dialect }: Pick<Scope, "tenantID" | "dialect">,
  rootIDs: readonly string[],
): Program<ReadonlyMap<string, number>> {
  const rows = yield* query(
    `SELECT t."rootID" AS "rootID", t."seq" AS "seq"
     FROM ${dialect.jsonRows("$1", { id: "text" }, "r")} CROSS JOIN "Tree" t
     WHERE t."tenantID" = $2 AND t."rootID" = r."id"`,
    JSON.stringify(rootIDs.map((id) => ({ id }))),
    tenantID,
  )
  return new Map(rows.map((row) => [text(row, "rootID"), number(row, "seq")]))
}
