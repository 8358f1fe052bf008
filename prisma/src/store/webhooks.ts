import type { WebhookDelivery } from "@docket/core/schema"
import { type DeliveryCounts, records, type WebhookStore } from "@docket/core/store"
import { rowOf } from "../row/row-data.ts"
import { storedList, storedOrNull } from "../row/stored.ts"
import { MissingParentError, StoredBeforeError } from "../sql/database-errors.ts"
import { data, type StoreScope } from "./store-scope.ts"
import { beginNews, newsOf, tellNews, treesBehind } from "./webhook-news.ts"

/** Calls for the records; programs for what goes with the sequence of a tree. */
export function webhookStore(scope: StoreScope): WebhookStore {
  const { tenantID, read, write } = scope
  const byID = (id: string) => ({ tenantID_id: { tenantID, id } })
  const waiting = (webhookID: string) => ({ tenantID, webhookID, status: "waiting" })
  return {
    async put(value) {
      const row = rowOf(records.Webhook, { tenantID }, value)
      const upserted = { where: byID(value.id), create: row, update: row, select: { id: true } }
      await write(({ webhook }) => webhook.upsert(upserted))
    },
    async get(id) {
      const row = await read(({ webhook }) => webhook.findUnique({ where: byID(id), select: data }))
      return storedOrNull(scope, records.Webhook, row)
    },
    async list() {
      const rows = await read(({ webhook }) =>
        webhook.findMany({ where: { tenantID }, orderBy: [{ created: "asc" }, { id: "asc" }], select: data }),
      )
      return storedList(scope, records.Webhook, rows)
    },
    async remove(id) {
      await write(({ webhook }) => webhook.deleteMany({ where: { tenantID, id } }))
    },
    begin: (at) => write({ program: () => beginNews(scope, at) }),
    behind: (limit, after = "") => read({ program: () => treesBehind(scope, limit, after) }),
    news: (rootID, limit) => read({ program: () => newsOf(scope, rootID, limit) }),
    tell: (news, told) => write({ program: () => tellNews(scope, news, told) }),
    async add(value) {
      const row = rowOf(records.WebhookDelivery, { tenantID }, value)
      try {
        await write(({ webhookDelivery }) => webhookDelivery.create({ data: row, select: { id: true } }))
        return true
      } catch (error) {
        if (error instanceof MissingParentError) return false
        if (error instanceof StoredBeforeError) return true
        throw error
      }
    },
    async update(value) {
      const { tenantID: _tenant, id, webhookID: _webhook, ...row } = rowOf(records.WebhookDelivery, { tenantID }, value)
      const { count } = await write(({ webhookDelivery }) =>
        webhookDelivery.updateMany({ where: { tenantID, id }, data: row }),
      )
      return count > 0
    },
    async delivery(id) {
      const row = await read(({ webhookDelivery }) => webhookDelivery.findUnique({ where: byID(id), select: data }))
      return storedOrNull(scope, records.WebhookDelivery, row)
    },
    async deliveries({ webhookID, status, limit, cursor }) {
      const where = {
        tenantID,
        ...(webhookID !== undefined && { webhookID }),
        ...(status !== undefined && { status }),
        ...(cursor !== undefined && { id: { lt: cursor } }),
      }
      const rows = await read(({ webhookDelivery }) =>
        webhookDelivery.findMany({ where, orderBy: { id: "desc" }, take: limit + 1, select: { ...data, id: true } }),
      )
      const shown = rows.slice(0, limit)
      const items = storedList(scope, records.WebhookDelivery, shown)
      return { items, cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null }
    },
    async due({ webhookID, now, limit }) {
      const where = { ...waiting(webhookID), nextAt: { lte: now } }
      const rows = await read(({ webhookDelivery }) =>
        webhookDelivery.findMany({ where, orderBy: [{ nextAt: "asc" }, { id: "asc" }], take: limit, select: data }),
      )
      return storedList(scope, records.WebhookDelivery, rows)
    },
    async nextDue(webhookID, now) {
      const where = { ...waiting(webhookID), nextAt: { gt: now } }
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
        // The column holds the status of the row.
        counts[webhookID] = { ...known, [status as WebhookDelivery["status"]]: _count._all }
      }
      return counts
    },
    async prune(before) {
      const where = { tenantID, created: { lt: before }, status: { not: "waiting" } }
      await write(({ webhookDelivery }) => webhookDelivery.deleteMany({ where }))
    },
  }
}
