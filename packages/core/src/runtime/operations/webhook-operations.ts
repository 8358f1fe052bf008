import { z } from "zod"
import { ShownName, WebhookDelivery, WebhookDeliveryID, WebhookEvent, WebhookID } from "../../ground/schema/index.ts"
import type { CallerServices } from "../caller-services.ts"
import type { Asker } from "./asker.ts"
import { records } from "./audit-rule.ts"
import { seenOf } from "./input.ts"
import { mutation, query } from "./operation.ts"

const capability = "webhooks.manage"

const Given = z.object({
  name: ShownName,
  url: z.string().trim().min(1).max(2_000),
  events: z.array(WebhookEvent).min(1).max(50),
})
const ByID = z.object({ webhookID: WebhookID })
const ByDelivery = z.object({ deliveryID: WebhookDeliveryID })

/** Records the webhook with its name, which the call does not contain: later the webhook may be gone. */
async function noteName({ webhook }: CallerServices, webhookID: string, { note }: Asker): Promise<void> {
  if (note === null) return
  const found = (await webhook.list()).find(({ id }) => id === webhookID)
  if (found !== undefined) note({ webhook: found.id, name: found.name })
}

export const webhookOperations = {
  /** The webhooks of the workspace. */
  list: query({ capability, input: null, needs: "rows", run: ({ webhook }) => webhook.list() }),

  /** Creates a webhook. Only this answer and that of `rotate` show a secret. */
  create: mutation({
    capability,
    audit: records("webhook.made", { targets: ["name"], facts: ["events"] }),
    input: Given,
    needs: "rows",
    run: ({ webhook }, given) => webhook.create(given),
  }),

  /** Changes, pauses or resumes a webhook. What you leave out stays as it is. */
  update: mutation({
    capability,
    audit: records("webhook.changed", {
      choice: { name: "status", acts: { paused: "webhook.paused", active: "webhook.resumed" } },
      targets: ["name"],
      facts: ["events"],
    }),
    input: Given.partial().extend({ ...ByID.shape, status: z.enum(["active", "paused"]).optional() }),
    needs: "rows",
    run: ({ webhook }, { webhookID, ...patch }) => webhook.update(webhookID, patch),
  }),

  /** Removes a webhook. */
  remove: mutation({
    capability,
    audit: records("webhook.removed"),
    input: ByID,
    needs: "rows",
    async run(services, { webhookID }, { asker }) {
      await noteName(services, webhookID, asker)
      await services.webhook.remove(webhookID)
    },
  }),

  /** Makes a new secret. For a day the old one signs too. */
  rotate: mutation({
    capability,
    audit: records("webhook.secret"),
    input: ByID,
    needs: "rows",
    async run(services, { webhookID }, { asker }) {
      await noteName(services, webhookID, asker)
      return services.webhook.rotate(webhookID)
    },
  }),

  /** Sends a delivery without an event, as a test. */
  test: mutation({
    capability,
    audit: records("webhook.tested"),
    input: ByID,
    needs: "rows",
    async run(services, { webhookID }, { asker }) {
      await noteName(services, webhookID, asker)
      return services.webhook.test(webhookID)
    },
  }),

  /** Deliveries, newest first, each with its tries and the beginning of the last answer. */
  deliveries: query({
    capability,
    input: ByID.partial().extend({
      status: WebhookDelivery.shape.status.optional(),
      limit: z.number().int().min(1).max(200).optional(),
      cursor: WebhookDeliveryID.optional(),
    }),
    needs: "rows",
    async run({ webhook }, asked, { visibility }) {
      const { items, cursor } = await webhook.deliveries(asked)
      return { items: await seenOf(visibility, items, ({ rootID }) => rootID), cursor }
    },
  }),

  /** One delivery. */
  delivery: query({
    capability,
    input: ByDelivery,
    needs: "rows",
    run: ({ webhook }, { deliveryID }) => webhook.delivery(deliveryID),
  }),

  /** Sends a delivery again under its id. */
  redeliver: mutation({
    capability,
    audit: records("webhook.sent"),
    input: ByDelivery,
    needs: "rows",
    async run(services, { deliveryID }, { asker }) {
      await noteName(services, (await services.webhook.delivery(deliveryID)).webhookID, asker)
      return services.webhook.redeliver(deliveryID)
    },
  }),
}
