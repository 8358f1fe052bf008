"use client"

import { useTRPC } from "@docket/client/react"
import type { WebhookView } from "@docket/core"
import type { WebhookDelivery } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { formatDateTime } from "../../../../../ui/format.ts"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import settings from "../settings.module.css"
import { useWebhookActions } from "./use-webhook-actions.ts"
import { outcomeOf } from "./webhook-labels.ts"
import styles from "./webhooks.module.css"

/** How often deliveries are reloaded while one is waiting (ms). */
const lookMs = 3_000

/** The recent deliveries of a webhook, loaded when the user opens them. */
export function Deliveries({ webhook }: { webhook: WebhookView }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details className={styles.deliveries} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary aria-label={`Deliveries of ${webhook.name}`}>Deliveries</summary>
      {isOpen ? <DeliveryList webhook={webhook} /> : null}
    </details>
  )
}

function DeliveryList({ webhook }: { webhook: WebhookView }) {
  const trpc = useTRPC()
  const deliveries = useQuery({
    ...trpc.webhook.deliveries.queryOptions({ webhookID: webhook.id, limit: 50 }),
    refetchInterval: ({ state }) => (state.data?.items.some(({ status }) => status === "waiting") ? lookMs : false),
  })
  return (
    <Loaded query={deliveries} failed="Deliveries cannot be listed" loading="Loading deliveries" rows={2} height={44}>
      {({ items }) =>
        items.length === 0 ? (
          <p className={settings.hint}>Nothing was sent yet. Send a test to try it.</p>
        ) : (
          <ul aria-label={`Deliveries of ${webhook.name}`}>
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} isActive={webhook.status === "active"} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function DeliveryRow({ delivery, isActive }: { delivery: WebhookDelivery; isActive: boolean }) {
  const { redeliver } = useWebhookActions()
  const { id, event, status, time, nextAt, attempts, answer, body } = delivery
  return (
    <li className={styles.delivery}>
      <details>
        <summary>
          <span className={styles.event}>{event}</span>
          <span className={styles.outcome} data-status={status}>
            {outcomeOf(delivery)}
          </span>
          <RelativeTime time={time.created} />
        </summary>
        <div className={styles.opened}>
          <p className={settings.meta}>
            <code>{id}</code>
            {nextAt === null ? "" : ` · next try ${formatDateTime(nextAt)}`}
          </p>
          {attempts.length > 0 ? (
            <ol className={styles.tries} aria-label="Tries">
              {attempts.map((attempt, index) => (
                // Attempts are only appended, and two may have the same time.
                <li key={index} className={settings.meta}>
                  {formatDateTime(attempt.at)} · {attempt.status ?? "no answer"} · {attempt.ms} ms
                  {attempt.error === null ? "" : ` · ${attempt.error}`}
                </li>
              ))}
            </ol>
          ) : null}
          <Text label="Sent" text={body} />
          {answer ? <Text label="Answered" text={answer} /> : null}
          {status === "withheld" ? null : (
            <Button
              disabled={!isActive}
              loading={redeliver.isPending}
              onClick={() => redeliver.mutate({ deliveryID: id })}
            >
              Send again
            </Button>
          )}
        </div>
      </details>
    </li>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <section aria-label={label}>
      <p className={settings.meta}>{label}</p>
      <pre className={styles.body}>{pretty(text)}</pre>
    </section>
  )
}

/** Formats JSON on several lines; other texts stay unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
