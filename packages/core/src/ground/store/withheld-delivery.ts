import type { WebhookDelivery } from "../schema/index.ts"

/** A delivery that is told to nobody any more. */
export function withheldDelivery(delivery: WebhookDelivery, at: number): WebhookDelivery {
  return { ...delivery, status: "withheld", nextAt: null, time: { ...delivery.time, ended: at } }
}
