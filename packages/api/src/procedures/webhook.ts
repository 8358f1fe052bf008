import type { WebhookView } from "@docket/core"
import { records } from "@docket/core/operations"
import { ShownName, WebhookDelivery, WebhookDeliveryID, WebhookEvent, WebhookID } from "@docket/core/schema"
import type { Page } from "@docket/core/store"
import { z } from "zod"
import type { ApiContext } from "../context.ts"
import { allowed, router } from "../trpc.ts"

const Given = z.object({
  name: ShownName,
  url: z.string().trim().min(1).max(2_000),
  events: z.array(WebhookEvent).min(1).max(50),
})
const ByID = z.object({ webhookID: WebhookID })
const ByDelivery = z.object({ deliveryID: WebhookDeliveryID })

const UpdateInput = Given.partial().extend({ ...ByID.shape, status: z.enum(["active", "paused"]).optional() })

const DeliveriesInput = ByID.partial().extend({
  status: WebhookDelivery.shape.status.optional(),
  limit: z.number().int().min(1).max(200).optional(),
  cursor: WebhookDeliveryID.optional(),
})

/** Writes down which webhook it is and what it is called, which the call does not say: later it may be gone. */
async function name({ recorder, runtime }: ApiContext, webhookID: string): Promise<void> {
  if (recorder === null) return
  const found = (await runtime.webhook.list()).find(({ id }) => id === webhookID)
  if (found !== undefined) recorder.about({ webhook: found.id, name: found.name })
}

/** A webhook with its secret, which no other answer shows. */
type Made = Promise<{ webhook: WebhookView; secret: string }>

export const webhookRouter = router({
  list: allowed("webhooks.manage").query(({ ctx }): Promise<WebhookView[]> => ctx.runtime.webhook.list()),

  create: allowed("webhooks.manage", records("webhook.made", { targets: ["name"], facts: ["events"] }))
    .input(Given)
    .mutation(({ ctx, input }): Made => ctx.runtime.webhook.create(input)),

  /** What is left out stays as it is. */
  update: allowed(
    "webhooks.manage",
    records("webhook.changed", {
      choice: { name: "status", acts: { paused: "webhook.paused", active: "webhook.resumed" } },
      targets: ["name"],
      facts: ["events"],
    }),
  )
    .input(UpdateInput)
    .mutation(({ ctx, input: { webhookID, ...patch } }): Promise<WebhookView> => {
      return ctx.runtime.webhook.update(webhookID, patch)
    }),

  remove: allowed("webhooks.manage", records("webhook.removed"))
    .input(ByID)
    .mutation(async ({ ctx, input }): Promise<void> => {
      await name(ctx, input.webhookID)
      await ctx.runtime.webhook.remove(input.webhookID)
    }),

  /** A new secret; the one before signs too for a day. */
  rotate: allowed("webhooks.manage", records("webhook.secret"))
    .input(ByID)
    .mutation(async ({ ctx, input }): Made => {
      await name(ctx, input.webhookID)
      return ctx.runtime.webhook.rotate(input.webhookID)
    }),

  /** Sends a delivery that tells of nothing. */
  test: allowed("webhooks.manage", records("webhook.tested"))
    .input(ByID)
    .mutation(async ({ ctx, input }): Promise<WebhookDelivery> => {
      await name(ctx, input.webhookID)
      return ctx.runtime.webhook.test(input.webhookID)
    }),

  /** Newest first, each with its tries and the beginning of the last answer. */
  deliveries: allowed("webhooks.manage")
    .input(DeliveriesInput)
    .query(({ ctx, input }): Promise<Page<WebhookDelivery>> => ctx.runtime.webhook.deliveries(input)),

  delivery: allowed("webhooks.manage")
    .input(ByDelivery)
    .query(({ ctx, input }): Promise<WebhookDelivery> => ctx.runtime.webhook.delivery(input.deliveryID)),

  /** Sends one again under its id. */
  redeliver: allowed("webhooks.manage", records("webhook.sent"))
    .input(ByDelivery)
    .mutation(async ({ ctx, input }): Promise<WebhookDelivery> => {
      await name(ctx, (await ctx.runtime.webhook.delivery(input.deliveryID)).webhookID)
      return ctx.runtime.webhook.redeliver(input.deliveryID)
    }),
})
