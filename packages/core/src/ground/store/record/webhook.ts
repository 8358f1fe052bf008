import { Webhook, WebhookDelivery } from "../../schema/index.ts"
import { defineRecord } from "./define-record.ts"

export const webhookRecord = defineRecord({
  name: "Webhook",
  schema: Webhook,
  owner: "tenant",
  columns: { url: "text", status: "word", created: "number" },
  values: ({ time }) => ({ created: time.created }),
})

export const deliveryRecord = defineRecord({
  name: "WebhookDelivery",
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
