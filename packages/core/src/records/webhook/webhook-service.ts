import type { Webhook, WebhookDelivery, WebhookEvent } from "../../ground/schema/index.ts"
import type { DeliveryCounts, Page } from "../../ground/store/index.ts"

/** A webhook as people see it. */
export interface WebhookView extends Webhook {
  counts: DeliveryCounts
  /** Its secret is lost, as after a restore without keys: nothing is sent before it has a new one. */
  lacksSecret: boolean
  /** Until when the secret before this one signs too (epoch ms); null when there is none. */
  oldSecretUntil: number | null
}

export interface WebhookInput {
  name: string
  url: string
  events: WebhookEvent[]
}

export type WebhookPatch = { [Name in keyof WebhookInput]?: WebhookInput[Name] | undefined } & {
  /** An active one hears of what happens from then on. */
  status?: "active" | "paused" | undefined
}

/** Addresses outside that are told of what happens in the workspace. */
export interface WebhookService {
  /** Oldest first. */
  list(): Promise<WebhookView[]>
  /** `secret` is shown only now. @throws invalid_input for an address that webhooks may not have, or one too many */
  create(input: WebhookInput): Promise<{ webhook: WebhookView; secret: string }>
  /** What is left out stays as it is. @throws webhook_not_found, invalid_input */
  update(id: string, patch: WebhookPatch): Promise<WebhookView>
  /** Removes it with its deliveries. @throws webhook_not_found */
  remove(id: string): Promise<void>
  /** A new secret, shown only now. The one before signs too for a day. @throws webhook_not_found */
  rotate(id: string): Promise<{ webhook: WebhookView; secret: string }>
  /** Sends a delivery that tells of nothing. @throws webhook_not_found, invalid_input when it is not active */
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
  /** Sends one again, under its id, that nobody waits for. @throws delivery_not_found, invalid_input when its webhook is not active */
  redeliver(id: string): Promise<WebhookDelivery>
}
