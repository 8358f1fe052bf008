import type { DocketClient } from "@docket/client"
import type { WebhookEvent } from "@docket/core/schema"
import { tableLines } from "../table.ts"

type Webhooks = DocketClient["webhook"]

/** All webhooks of the workspace, with their numbers of pending and failed deliveries. */
export async function listWebhooks(webhooks: Webhooks): Promise<string[]> {
  const all = await webhooks.list.query()
  if (all.length === 0) return ["no webhooks"]
  const rows = all.map(({ id, name, url, events, status, failing, lacksSecret, counts, by }) => {
    const trouble = lacksSecret ? ", no secret" : failing === null ? "" : ", failing"
    return [
      id,
      status + trouble,
      `${counts.waiting}/${counts.failed}`,
      name,
      url,
      events.join(" "),
      by.name ?? by.person,
    ]
  })
  return tableLines([["id", "status", "waiting/failed", "name", "address", "events", "made by"], ...rows])
}

export async function addWebhook(
  webhooks: Webhooks,
  input: { name: string; url: string; events: WebhookEvent[] },
): Promise<string[]> {
  const { webhook, secret } = await webhooks.create.mutate(input)
  return [
    `${webhook.id} hears of ${webhook.events.join(", ")}. Its secret, which is not shown again:`,
    "",
    `  ${secret}`,
  ]
}

/** An active webhook is notified of events from then on. */
export async function setWebhookStatus(
  webhooks: Webhooks,
  webhookID: string,
  status: "active" | "paused",
): Promise<string> {
  const { name } = await webhooks.update.mutate({ webhookID, status })
  return status === "active" ? `"${name}" hears of what happens from now on.` : `"${name}" is told of nothing more.`
}

/** Sends a test delivery, which carries no event. */
export async function testWebhook(webhooks: Webhooks, webhookID: string): Promise<string> {
  const { id } = await webhooks.test.mutate({ webhookID })
  return `${id} is on its way; docket team webhooks deliveries ${webhookID} says what was answered.`
}

export async function rotateSecret(webhooks: Webhooks, webhookID: string): Promise<string[]> {
  const { webhook, secret } = await webhooks.rotate.mutate({ webhookID })
  const before = webhook.oldSecretUntil === null ? "" : " The one before signs too for a day."
  return [`The new secret of "${webhook.name}", which is not shown again.${before}`, "", `  ${secret}`]
}

export async function removeWebhook(webhooks: Webhooks, webhookID: string): Promise<string> {
  await webhooks.remove.mutate({ webhookID })
  return "The webhook is removed, with its deliveries."
}

/** The newest deliveries, each with its last attempt. */
export async function listDeliveries(webhooks: Webhooks, webhookID: string | undefined): Promise<string[]> {
  const { items } = await webhooks.deliveries.query(webhookID === undefined ? {} : { webhookID })
  if (items.length === 0) return ["no deliveries"]
  const rows = items.map(({ id, event, status, attempts, time }) => {
    const last = attempts.at(-1)
    const answer = last === undefined ? "" : (last.error ?? String(last.status))
    return [id, new Date(time.created).toISOString(), event, status, String(attempts.length), answer]
  })
  return tableLines([["id", "made", "event", "status", "tries", "last answer"], ...rows])
}

export async function redeliver(webhooks: Webhooks, deliveryID: string): Promise<string> {
  await webhooks.redeliver.mutate({ deliveryID })
  return `${deliveryID} is sent again.`
}
