import type { WebhookDelivery } from "@docket/core/schema"
import { type DeliveryCounts, type Records, type WebhookStore, webhookRows } from "@docket/core/store"
import { query, text } from "../sql/program.ts"
import type { StoreScope } from "./store-scope.ts"
import { beginNews, newsOf, tellNews, treesBehind } from "./webhook-news.ts"

/** Programs where the sequence of a tree is involved, client calls for sums. */
export function webhookStore(scope: StoreScope, rows: Records): WebhookStore {
  const { tenantID, read, write } = scope
  return {
    ...webhookRows(rows),
    begin: (at) => write({ program: () => beginNews(scope, at) }),
    behind: (limit, asked = {}) => read({ program: () => treesBehind(scope, limit, asked) }),
    news: (rootID, limit) => read({ program: () => newsOf(scope, rootID, limit) }),
    tell: (news, told) => write({ program: () => tellNews(scope, news, told) }),
    async withDue(now) {
      const due = () =>
        query(
          `SELECT DISTINCT "webhookID" AS "webhookID" FROM "WebhookDelivery"
           WHERE "tenantID" = $1 AND "status" = 'waiting' AND "nextAt" <= $2`,
          tenantID,
          now,
        )
      return (await read({ program: due })).map((row) => text(row, "webhookID"))
    },
    async nextDue(webhookID, now) {
      const where = { tenantID, webhookID, status: "waiting", nextAt: { gt: now } }
      const row = await read(({ webhookDelivery }) =>
        webhookDelivery.findFirst({ where, orderBy: { nextAt: "asc" }, select: { nextAt: true } }),
      )
      return row?.nextAt ?? null
    },
    async counts() {
      const groups = await read(({ webhookDelivery }) =>
        webhookDelivery.groupBy({ by: ["webhookID", "status"], where: { tenantID }, _count: { _all: true } }),
      )
      const counts: Record<string, DeliveryCounts> = {}
      for (const { webhookID, status, _count } of groups) {
        const known = counts[webhookID] ?? { waiting: 0, delivered: 0, failed: 0, withheld: 0 }
        // The cast is safe: the column holds the delivery's status.
        counts[webhookID] = { ...known, [status as WebhookDelivery["status"]]: _count._all }
      }
      return counts
    },
  }
}
