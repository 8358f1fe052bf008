import { Webhook, WebhookDelivery } from "../../schema/index.ts"
import type { WebhookStore } from "../port/webhook-store.ts"
import { defineRecord } from "./define-record.ts"
import { MissingParentError, type Records } from "./records-port.ts"

export const webhookRecord = defineRecord({
  name: "Webhook",
  words: ["webhook", "webhooks"],
  schema: Webhook,
  owner: "tenant",
  columns: { url: "text", status: "word", created: "number" },
  values: ({ time }) => ({ created: time.created }),
})

export const deliveryRecord = defineRecord({
  name: "WebhookDelivery",
  words: ["delivery to a webhook", "deliveries to webhooks"],
  schema: WebhookDelivery,
  owner: { record: webhookRecord, column: "webhookID" },
  columns: {
    webhookID: "word",
    fact: "word",
    event: "word",
    rootID: "word?",
    status: "word",
    nextAt: "number?",
    created: "number",
  },
  values: ({ time }) => ({ created: time.created }),
  unique: [["webhookID", "fact"]],
})

type OfTrees = "begin" | "behind" | "news" | "tell"

/** All of the port except what follows the sequence of a tree, and what is counted over all rows. */
export function webhookRows(records: Records): Omit<WebhookStore, OfTrees | "counts" | "nextDue" | "withDue"> {
  return {
    put: (webhook) => records.put(webhookRecord, [webhook]),
    change: (id, edit) => records.change(webhookRecord, id, edit),
    get: (id) => records.get(webhookRecord, id),
    list: () => records.find(webhookRecord, { order: ["created", "id"] }),
    async remove(id) {
      await records.remove(webhookRecord, { id })
    },
    add: (delivery) =>
      records.add(deliveryRecord, [delivery]).then(
        () => true,
        (error) => {
          if (error instanceof MissingParentError) return false
          throw error
        },
      ),
    changeDelivery: (id, edit) => records.change(deliveryRecord, id, edit),
    delivery: (id) => records.get(deliveryRecord, id),
    deliveries: ({ webhookID, status, ...page }) =>
      records.page(deliveryRecord, { where: { webhookID, status }, ...page }),
    due: ({ webhookID, now, limit }) =>
      records.find(deliveryRecord, {
        where: { webhookID, status: "waiting", nextAt: { lte: now } },
        order: ["nextAt", "id"],
        limit,
      }),
    async prune(before) {
      await records.remove(deliveryRecord, { created: { lt: before }, status: { not: "waiting" } })
    },
  }
}

/** A delivery that will not be sent any more. */
export function withheldDelivery(delivery: WebhookDelivery, at: number): WebhookDelivery {
  return { ...delivery, status: "withheld", nextAt: null, time: { ...delivery.time, ended: at } }
}
