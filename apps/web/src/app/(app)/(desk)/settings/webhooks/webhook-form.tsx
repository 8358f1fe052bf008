"use client"

import { useTRPC } from "@docket/client/react"
import type { WebhookView } from "@docket/core"
import type { WebhookEvent } from "@docket/core/schema"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { CheckedLine } from "../../../../../ui/checked-line.tsx"
import entries from "../../../../../ui/entries.module.css"
import { eventGroups, eventLabels, hostOf } from "./webhook-labels.ts"
import styles from "./webhooks.module.css"

interface WebhookFormProps {
  /** The webhook to change; undefined for a new one. */
  webhook?: WebhookView
  onMade?: ((made: { name: string; secret: string }) => void) | undefined
  onClose(): void
}

/** The form of a webhook: its address and events. */
export function WebhookForm({ webhook, onMade, onClose }: WebhookFormProps) {
  const [url, setURL] = useState(webhook?.url ?? "")
  const [name, setName] = useState(webhook?.name ?? "")
  const [events, setEvents] = useState<ReadonlySet<WebhookEvent>>(new Set(webhook?.events ?? eventGroups[0]?.events))
  const { create, update } = useSave({ onMade, onClose })
  const problem = create.error ?? update.error
  return (
    <form
      className={entries.form}
      aria-label={webhook ? `Change ${webhook.name}` : "New webhook"}
      onSubmit={(event) => {
        event.preventDefault()
        const fields = { url: url.trim(), name: name.trim() || hostOf(url.trim()).slice(0, 80), events: [...events] }
        if (webhook) update.mutate({ webhookID: webhook.id, ...fields })
        else create.mutate(fields)
      }}
    >
      <TextInput
        label="Address"
        placeholder="https://hooks.example.org/docket"
        required
        withAsterisk={false}
        autoFocus
        autoComplete="off"
        inputMode="url"
        maxLength={2_000}
        value={url}
        onChange={(event) => setURL(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        placeholder="What receives it; the host when left empty"
        autoComplete="off"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <EventChoice chosen={events} onChange={setEvents} />
      {problem ? (
        <p role="alert" className={entries.problem}>
          {problem.message}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button
          type="submit"
          variant="filled"
          disabled={url.trim() === "" || events.size === 0}
          loading={create.isPending || update.isPending}
        >
          {webhook ? "Save" : "Make the webhook"}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface EventChoiceProps {
  chosen: ReadonlySet<WebhookEvent>
  onChange(chosen: ReadonlySet<WebhookEvent>): void
}

function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const toggle = (event: WebhookEvent, isChosen: boolean) => {
    const rest = [...chosen].filter((each) => each !== event)
    onChange(new Set(isChosen ? [...rest, event] : rest))
  }
  return (
    <div className={styles.events}>
      {eventGroups.map(({ name, events }) => (
        <fieldset key={name} className={styles.group}>
          <legend>{name}</legend>
          {events.map((event) => (
            <CheckedLine
              key={event}
              label={eventLabels[event]}
              checked={chosen.has(event)}
              onChange={(isChosen) => toggle(event, isChosen)}
            />
          ))}
        </fieldset>
      ))}
    </div>
  )
}

function useSave({ onMade, onClose }: Pick<WebhookFormProps, "onMade" | "onClose">) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const refresh = () => queries.invalidateQueries(trpc.webhook.pathFilter())
  const create = useMutation(
    trpc.webhook.create.mutationOptions({
      onSuccess: ({ webhook, secret }) => {
        void refresh()
        announce("The webhook is made")
        onMade?.({ name: webhook.name, secret })
      },
    }),
  )
  const update = useMutation(
    trpc.webhook.update.mutationOptions({
      onSuccess: () => {
        void refresh()
        announce("Changed")
        onClose()
      },
    }),
  )
  return { create, update }
}
