"use client"

import { useTRPC } from "@docket/client/react"
import type { Project, Schedule } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { primaryAgents } from "../../../../features/composer/primary-agents.ts"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { lastProject } from "../../../../shell/last-project.ts"
import { ProjectField } from "../../../../shell/project-field.tsx"
import { ChoiceField } from "../../../../ui/choice-field.tsx"
import entries from "../../../../ui/entries.module.css"
import { formatMoment } from "./format-moment.ts"
import styles from "./schedules.module.css"

/** The select's value for "none": a new session, the project's default agent. */
const none = ""

const missedChoices = [
  { value: "skip", label: "Leave out" },
  { value: "once", label: "Run once" },
  { value: "all", label: "Run each" },
]

/** A new schedule: when, what to prompt, and where. */
export function ScheduleForm({ projects, onClose }: { projects: Project[]; onClose(): void }) {
  const [when, setWhen] = useState("")
  const [message, setMessage] = useState("")
  const [projectID, setProjectID] = useState(() => lastProject(projects)?.id ?? "")
  const [sessionID, setSessionID] = useState(none)
  const [agent, setAgent] = useState(none)
  const [missed, setMissed] = useState<Schedule["missed"]>("once")
  const choices = useChoices(projectID)
  const create = useCreate(onClose)
  return (
    <form
      className={entries.form}
      aria-label="New schedule"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({
          projectID,
          when: when.trim(),
          message: message.trim(),
          missed,
          ...(sessionID === none ? {} : { sessionID }),
          ...(agent === none ? {} : { agent }),
        })
      }}
    >
      <WhenField value={when} onChange={setWhen} />
      <Textarea
        label="Prompt"
        required
        autosize
        minRows={2}
        maxRows={10}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <div className={entries.pair}>
        <ProjectField
          label="Project"
          projects={projects}
          value={projectID}
          onChange={(id) => {
            setProjectID(id)
            setSessionID(none)
            setAgent(none)
          }}
        />
        <ChoiceField label="Session" value={sessionID} choices={choices.sessions} onChange={setSessionID} />
        <ChoiceField label="Agent" value={agent} choices={choices.agents} onChange={setAgent} />
      </div>
      <div className={styles.field}>
        <span>Runs missed while Docket is off</span>
        <SegmentedControl
          aria-label="Missed runs"
          data={missedChoices}
          value={missed}
          // The control returns one of the values above.
          onChange={(value) => setMissed(value as Schedule["missed"])}
        />
      </div>
      {create.error ? (
        <p role="alert" className={entries.problem}>
          {create.error.message}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button
          type="submit"
          variant="filled"
          disabled={when.trim() === "" || message.trim() === ""}
          loading={create.isPending}
        >
          Create
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
      </div>
    </form>
  )
}

/** The field for the time, with a preview from the server while the user types. */
function WhenField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const trpc = useTRPC()
  const hint = useId()
  const [when] = useDebouncedValue(value.trim(), 250)
  const preview = useQuery({
    ...trpc.schedule.preview.queryOptions({ when }),
    enabled: when !== "",
    retry: false,
    staleTime: 0,
  })
  const isPreviewCurrent = when !== "" && when === value.trim()
  const error = isPreviewCurrent ? preview.error?.message : undefined
  const now = Date.now()
  return (
    <div>
      <TextInput
        label="When"
        required
        autoFocus
        placeholder="every weekday at 09:00"
        aria-describedby={hint}
        error={error}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p id={hint} className={styles.preview} aria-live="polite">
        {isPreviewCurrent && preview.data
          ? `${preview.data.normalized}: ${preview.data.next.map((time) => formatMoment(time, now)).join(", ")}`
          : error
            ? ""
            : "A phrase, or five cron fields such as 0 9 * * 1-5."}
      </p>
    </div>
  )
}

function useChoices(projectID: string) {
  const trpc = useTRPC()
  const sessions = useQuery(trpc.session.list.queryOptions({ projectID, limit: 30 }))
  const agents = useQuery(trpc.agent.list.queryOptions({ projectID }))
  return {
    sessions: [
      { value: none, label: "A new one each time" },
      ...(sessions.data?.items ?? []).map(({ session }) => ({ value: session.id, label: shortTitle(session) })),
    ],
    agents: [
      { value: none, label: "The usual one" },
      ...primaryAgents(agents.data ?? []).map(({ name }) => ({ value: name, label: name })),
    ],
  }
}

function useCreate(onCreated: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  return useMutation(
    trpc.schedule.create.mutationOptions({
      onSuccess: async () => {
        announce("Scheduled")
        await queries.invalidateQueries(trpc.schedule.pathFilter())
        onCreated()
      },
    }),
  )
}
