"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { useMe } from "../../../../../shell/me.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"
import { ShownOnce } from "../shown-once.tsx"
import { TeamPage } from "../team-page.tsx"
import { WebhookForm } from "./webhook-form.tsx"
import { WebhookRow } from "./webhook-row.tsx"

/** External addresses that are notified of events in this workspace. */
export function WebhooksPage() {
  const me = useMe()
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null)
  const refusal = me.whyNot("webhooks.manage")
  return (
    <TeamPage
      title="Webhooks"
      intro="A webhook tells another program of what happens here: ids and titles, signed, and tried again for a day when nobody answers. Private sessions are told to nobody."
      actions={
        refusal === undefined ? (
          <Button
            leftSection={<Plus size={14} aria-hidden />}
            disabled={making}
            onClick={() => {
              setMade(null)
              setMaking(true)
            }}
          >
            New webhook
          </Button>
        ) : undefined
      }
    >
      {made ? (
        <ShownOnce
          key={made.secret}
          title={`The secret of “${made.name}”`}
          label="Secret"
          value={made.secret}
          what="the secret"
          onDone={() => setMade(null)}
        >
          Copy it now, into the settings of the receiver: with it, the receiver sees that a delivery is Docket's. It is
          not shown again.
        </ShownOnce>
      ) : null}
      {making ? (
        <WebhookForm
          onMade={(webhook) => {
            setMaking(false)
            setMade(webhook)
          }}
          onClose={() => setMaking(false)}
        />
      ) : null}
      {refusal === undefined ? <List onSecret={setMade} /> : <p className={settings.hint}>{refusal}</p>}
    </TeamPage>
  )
}

function List({ onSecret }: { onSecret(made: { name: string; secret: string }): void }) {
  const trpc = useTRPC()
  const webhooks = useQuery(trpc.webhook.list.queryOptions())
  return (
    <Section id="webhooks" title="Webhooks of this workspace">
      <Loaded query={webhooks} failed="Webhooks cannot be listed" loading="Loading webhooks" rows={2} height={96}>
        {(list) =>
          list.length === 0 ? (
            <p className={settings.hint}>Nobody outside is told of anything.</p>
          ) : (
            <ul aria-label="Webhooks">
              {list.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} onSecret={onSecret} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
