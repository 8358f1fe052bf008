"use client"

import type { WebhookView } from "@docket/core"
import { Button } from "@mantine/core"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { ByPerson } from "../../../../../ui/person.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import settings from "../settings.module.css"
import { Deliveries } from "./deliveries.tsx"
import { useWebhookActions } from "./use-webhook-actions.ts"
import { WebhookForm } from "./webhook-form.tsx"
import { countsOf, stateOf } from "./webhook-labels.ts"
import styles from "./webhooks.module.css"

interface WebhookRowProps {
  webhook: WebhookView
  onSecret(made: { name: string; secret: string }): void
}

/** One webhook: its state, events, deliveries and actions. */
export function WebhookRow({ webhook, onSecret }: WebhookRowProps) {
  const [changing, setChanging] = useState(false)
  const { name, url, events, failing, oldSecretUntil } = webhook
  const { words, isBad } = stateOf(webhook)
  return (
    <li className={settings.provider}>
      <div className={styles.head}>
        <span className={styles.name}>{name}</span>
        <span className={styles.state} data-bad={isBad}>
          {words}
          {failing === null || webhook.disabled !== null ? null : (
            <>
              {" since "}
              <RelativeTime time={failing.since} />
            </>
          )}
        </span>
      </div>
      <p className={styles.url}>{url}</p>
      <p className={settings.meta}>{events.join(" · ")}</p>
      <p className={settings.meta}>
        {countsOf(webhook)}
        {oldSecretUntil === null ? "" : " · the old secret signs too, for a day"} <ByPerson by={webhook.by} />
      </p>
      {changing ? (
        <WebhookForm webhook={webhook} onClose={() => setChanging(false)} />
      ) : (
        <Actions webhook={webhook} onChange={() => setChanging(true)} onSecret={onSecret} />
      )}
      <Deliveries webhook={webhook} />
    </li>
  )
}

function Actions({ webhook, onChange, onSecret }: WebhookRowProps & { onChange(): void }) {
  const { id: webhookID, name, status } = webhook
  const { update, test, rotate, remove } = useWebhookActions()
  const announce = useAnnounce()
  const [asking, setAsking] = useState<"rotate" | "remove" | null>(null)
  const isActive = status === "active"
  return (
    <div className={styles.actions}>
      <Button disabled={!isActive} loading={test.isPending} onClick={() => test.mutate({ webhookID })}>
        Send a test
      </Button>
      <Button onClick={onChange} aria-label={`Change ${name}`}>
        Change
      </Button>
      <Button
        loading={update.isPending}
        onClick={() => update.mutate({ webhookID, status: isActive ? "paused" : "active" })}
      >
        {isActive ? "Pause" : "Make active"}
      </Button>
      <Button variant="subtle" onClick={() => setAsking("rotate")}>
        New secret…
      </Button>
      <Button color="red" variant="subtle" aria-label={`Remove ${name}`} onClick={() => setAsking("remove")}>
        Remove…
      </Button>
      {asking === "rotate" ? (
        <LazyConfirmDialog
          title={`New secret for “${name}”`}
          action="Make a new secret"
          confirm={async () => onSecret({ name, secret: (await rotate.mutateAsync({ webhookID })).secret })}
          onClose={() => setAsking(null)}
          next="#webhooks"
        >
          Deliveries are signed with both secrets for a day, so that the receiver can be changed meanwhile.
        </LazyConfirmDialog>
      ) : null}
      {asking === "remove" ? (
        <LazyConfirmDialog
          title={`Remove “${name}”`}
          action="Remove"
          confirm={async () => {
            await remove.mutateAsync({ webhookID })
            announce("The webhook is removed")
          }}
          onClose={() => setAsking(null)}
          next="#webhooks"
        >
          Nothing more is sent to it. Its past and waiting deliveries are removed too.
        </LazyConfirmDialog>
      ) : null}
    </div>
  )
}
