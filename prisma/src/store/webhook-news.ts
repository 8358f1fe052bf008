import type { Turn, WebhookDelivery } from "@docket/core/schema"
import { records, type WebhookNews, type WebhookStore, withheldDelivery } from "@docket/core/store"
import { type RowShape, rowOf } from "../row/row-data.ts"
import { readable, storedOrNull } from "../row/stored.ts"
import { number, type Program, query, type Row, text } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"

type Told = Parameters<WebhookStore["tell"]>[1]
type Place = Parameters<WebhookStore["tell"]>[0]

/** `WebhookStore.begin`: nothing that happened so far is news. */
export function* beginNews({ tenantID }: StoreScope, at: number): Program<void> {
  yield* query(
    `INSERT INTO "WebhookCursor" ("tenantID", "rootID", "seq", "at")
     SELECT t."tenantID", t."rootID", t."seq", CAST($2 AS DOUBLE PRECISION) FROM "Tree" t WHERE t."tenantID" = $1
     ON CONFLICT ("tenantID", "rootID") DO UPDATE SET "seq" = excluded."seq", "at" = excluded."at"`,
    tenantID,
    at,
  )
}

/** `WebhookStore.behind`. */
export function* treesBehind(
  { tenantID }: StoreScope,
  limit: number,
  { after = "", places }: NonNullable<Parameters<WebhookStore["behind"]>[1]>,
): Program<string[]> {
  const named = places?.map((_, index) => `$${index + 4}`).join(", ")
  const there =
    named === undefined
      ? ""
      : `AND t."place" IN (${named}) AND NOT EXISTS (SELECT 1 FROM "Turn" r
           WHERE r."tenantID" = $1 AND r."rootID" = t."rootID" AND r."status" = 'running')`
  const rows = yield* query(
    `SELECT t."rootID" AS "rootID" FROM "Tree" t
     LEFT JOIN "WebhookCursor" c ON c."tenantID" = $1 AND c."rootID" = t."rootID"
     WHERE t."tenantID" = $1 AND t."alive" = TRUE AND t."seq" > COALESCE(c."seq", 0) AND t."rootID" > $2 ${there}
     ORDER BY t."rootID" LIMIT $3`,
    ...[tenantID, after, limit, ...(places ?? [])],
  )
  return rows.map((row) => text(row, "rootID"))
}

const kinds = ["Task", "PermissionRequest", "Turn", "ReviewThread", "ReviewComment", "ReviewVerdict"] as const

/** `WebhookStore.news`. */
export function* newsOf(scope: StoreScope, rootID: string, limit: number): Program<WebhookNews | null> {
  const { tenantID } = scope
  const [tree] = yield* query(
    `SELECT t."seq" AS "head", COALESCE(c."seq", 0) AS "from", COALESCE(c."at", 0) AS "at" FROM "Tree" t
     LEFT JOIN "WebhookCursor" c ON c."tenantID" = $1 AND c."rootID" = $2
     WHERE t."tenantID" = $1 AND t."rootID" = $2 AND t."alive" = TRUE`,
    tenantID,
    rootID,
  )
  if (tree === undefined || number(tree, "head") <= number(tree, "from")) return null
  const [head, from, at] = [number(tree, "head"), number(tree, "from"), number(tree, "at")]
  const found = {} as Record<(typeof kinds)[number], Row[]>
  for (const kind of kinds) {
    found[kind] = yield* query(
      `SELECT "data", "seq" FROM "${kind}" WHERE "tenantID" = $1 AND "rootID" = $2 AND "seq" > $3 AND "seq" <= $4
       ORDER BY "seq" LIMIT $5`,
      ...[tenantID, rootID, from, head, limit],
    )
  }
  // If a kind reached the limit, its later rows were not read, so the news of all kinds end at the last row read of it.
  const ends = kinds.flatMap((kind) => found[kind].slice(limit - 1, limit).map((row) => number(row, "seq")))
  const to = Math.min(head, ...ends)
  const valuesOf = <T>(kind: (typeof kinds)[number], shape: RowShape<T>): T[] =>
    found[kind].filter((row) => number(row, "seq") <= to).flatMap((row) => readable(scope, shape, row) ?? [])
  const turns: WebhookNews["turns"] = []
  for (const turn of valuesOf("Turn", records.Turn)) turns.push({ turn, isLast: yield* isLast(scope, turn) })
  const [root] = yield* query(`SELECT "data" FROM "Session" WHERE "tenantID" = $1 AND "id" = $2`, tenantID, rootID)
  return {
    rootID,
    from,
    to,
    at,
    root: storedOrNull(scope, records.Session, root),
    tasks: valuesOf("Task", records.Task),
    requests: valuesOf("PermissionRequest", records.PermissionRequest),
    turns,
    threads: valuesOf("ReviewThread", records.ReviewThread),
    comments: valuesOf("ReviewComment", records.ReviewComment),
    verdicts: valuesOf("ReviewVerdict", records.ReviewVerdict),
  }
}

/** Whether no other turn of the session was queued or running when this one ended. */
function* isLast({ tenantID }: StoreScope, { id, sessionID, time: { ended } }: Turn): Program<boolean> {
  if (ended === null) return false
  const others = yield* query(
    `SELECT "id" FROM "Turn" WHERE "tenantID" = $1 AND "sessionID" = $2 AND "id" <> $3 AND "created" <= $4
     AND ("ended" IS NULL OR "ended" > $4) LIMIT 1`,
    ...[tenantID, sessionID, id, ended],
  )
  return others.length === 0
}

/** `WebhookStore.tell`. */
export function* tellNews(scope: StoreScope, { rootID, from, to }: Place, told: Told): Program<boolean> {
  const { tenantID } = scope
  const moved = yield* query(
    `INSERT INTO "WebhookCursor" ("tenantID", "rootID", "seq", "at") VALUES ($1, $2, $3, $4)
     ON CONFLICT ("tenantID", "rootID") DO UPDATE SET "seq" = $3, "at" = $4 WHERE "WebhookCursor"."seq" = $5
     RETURNING "seq"`,
    ...[tenantID, rootID, to, told.at, from],
  )
  if (moved.length === 0) return false
  yield* insert(scope, told.deliveries)
  if (told.withhold) yield* withhold(scope, rootID, told.at)
  return true
}

function* insert({ tenantID, dialect }: StoreScope, deliveries: readonly WebhookDelivery[]): Program<void> {
  for (const webhookID of new Set(deliveries.map((delivery) => delivery.webhookID))) {
    // Locked, so that the webhook cannot be removed before its deliveries are stored.
    const [webhook] = yield* query(
      `SELECT w."id" FROM "Webhook" w WHERE w."tenantID" = $1 AND w."id" = $2 ${dialect.lockRows("w")}`,
      tenantID,
      webhookID,
    )
    if (webhook === undefined) continue
    for (const delivery of deliveries.filter((other) => other.webhookID === webhookID)) {
      const row = rowOf(records.WebhookDelivery, { tenantID }, delivery)
      yield* query(
        `INSERT INTO "WebhookDelivery"
           ("tenantID", "id", "webhookID", "fact", "event", "rootID", "status", "nextAt", "created", "data")
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
        ...[row.tenantID, row.id, row.webhookID, row.fact, row.event, row.rootID],
        ...[row.status, row.nextAt, row.created, row.data],
      )
    }
  }
}

/** Marks the waiting deliveries of the tree as withheld. */
function* withhold(scope: StoreScope, rootID: string, at: number): Program<void> {
  const rows = yield* query(
    `SELECT "data" FROM "WebhookDelivery" WHERE "tenantID" = $1 AND "rootID" = $2 AND "status" = 'waiting'`,
    scope.tenantID,
    rootID,
  )
  for (const row of rows) {
    const delivery = readable(scope, records.WebhookDelivery, row)
    if (delivery === null) continue
    const { id, status, data } = rowOf(
      records.WebhookDelivery,
      { tenantID: scope.tenantID },
      withheldDelivery(delivery, at),
    )
    yield* query(
      `UPDATE "WebhookDelivery" SET "status" = $3, "nextAt" = NULL, "data" = $4 WHERE "tenantID" = $1 AND "id" = $2`,
      ...[scope.tenantID, id, status, data],
    )
  }
}
