import type { Webhook, WebhookDelivery, WebhookEvent } from "../../ground/schema/index.ts"
import type { DeliveryCounts, Page } from "../../ground/store/index.ts"

/** A webhook as users see it. */
export interface WebhookView extends Webhook {
  counts: DeliveryCounts
  /** Its secret is lost, for example after a restore without keys: nothing is sent until it has a new one. */
  lacksSecret: boolean
  /** Until when the previous secret also signs (epoch ms); null when there is none. */
  oldSecretUntil: number | null
}

export interface WebhookInput {
  name: string
  url: string
  events: WebhookEvent[]
}

export type WebhookPatch = { [Name in keyof WebhookInput]?: WebhookInput[Name] | undefined } & {
  /** Setting `active` starts deliveries of later events. */
  status?: "active" | "paused" | undefined
}

/** Manages external addresses that are notified of events in the workspace. */
export interface WebhookService {
  /** Oldest first. */
  list(): Promise<WebhookView[]>
  /** Only this call returns the secret. @throws invalid_input for a forbidden address, or too many webhooks */
  create(input: WebhookInput): Promise<{ webhook: WebhookView; secret: string }>
  /** Omitted fields do not change. @throws webhook_not_found, invalid_input */
  update(id: string, patch: WebhookPatch): Promise<WebhookView>
  /** Removes a webhook with its deliveries. @throws webhook_not_found */
  remove(id: string): Promise<void>
  /**
   * Makes a new secret, which only this call returns. The previous one also signs for a day. @throws webhook_not_found
   */
  rotate(id: string): Promise<{ webhook: WebhookView; secret: string }>
  /** Sends a test delivery. @throws webhook_not_found, invalid_input when the webhook is not active */
  test(id: string): Promise<WebhookDelivery>
  /** Newest first, of one webhook or of all. */
  deliveries(query: {
    webhookID?: string | undefined
    status?: WebhookDelivery["status"] | undefined
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<Page<WebhookDelivery>>
  /** @throws delivery_not_found */
  delivery(id: string): Promise<WebhookDelivery>
  /**
   * Sends a delivery again under its id, if it is not waiting. @throws delivery_not_found, invalid_input when its
   * webhook is not active
   */
  redeliver(id: string): Promise<WebhookDelivery>
}
