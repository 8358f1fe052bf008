"use client"

import { useTRPC } from "@docket/client/react"
import type { AuditAct } from "@docket/core/schema"
import { TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ChoiceField } from "../../../../../ui/choice-field.tsx"
import styles from "./audit.module.css"
import { dayEnd, dayStart } from "./day-times.ts"
import { useFormerPeople } from "./use-former-people.ts"

/** Undefined fields do not filter. Times are epoch ms. */
export interface AuditFilter {
  person?: string
  act?: AuditAct
  since?: number
  until?: number
  text?: string
}

interface AuditFiltersProps {
  filter: AuditFilter
  /** Whether the workspace has members to choose from. */
  hasPeople: boolean
  onChange(filter: AuditFilter): void
}

/** Filters the entries by subject, user, kind and time. */
export function AuditFilters({ filter, hasPeople, onChange }: AuditFiltersProps) {
  const trpc = useTRPC()
  const acts = useQuery(trpc.audit.acts.queryOptions())
  /** An empty value removes the filter. */
  const change = (name: keyof AuditFilter, value: string) => {
    const { [name]: _before, ...others } = filter
    onChange(value === "" ? others : { ...others, [name]: value })
  }
  return (
    <search className={styles.filters}>
      <TextInput
        type="search"
        label="About"
        placeholder="Name, address or id"
        value={filter.text ?? ""}
        onChange={(event) => change("text", event.currentTarget.value)}
      />
      {hasPeople ? <PersonField person={filter.person ?? ""} onChange={(person) => change("person", person)} /> : null}
      <ChoiceField
        label="Did what"
        value={filter.act ?? ""}
        choices={[
          { value: "", label: "Anything" },
          ...(acts.data ?? []).map(({ act, words }) => ({ value: act, label: words })),
        ]}
        onChange={(act) => change("act", act)}
      />
      <When
        onChange={({ since, until }) => {
          const { since: _since, until: _until, ...others } = filter
          onChange({ ...others, ...(since !== undefined && { since }), ...(until !== undefined && { until }) })
        }}
      />
    </search>
  )
}

/** The members of the workspace, and who was one. */
function PersonField({ person, onChange }: { person: string; onChange(person: string): void }) {
  const trpc = useTRPC()
  const members = useQuery(trpc.team.members.queryOptions())
  const former = useFormerPeople(members.data)
  return (
    <ChoiceField
      label="Person"
      value={person}
      choices={[
        { value: "", label: "Anybody" },
        ...(members.data ?? []).map(({ person, name }) => ({ value: person, label: name })),
        ...former.map(({ person, name }) => ({ value: person, label: `${name} (gone)` })),
      ]}
      onChange={onChange}
    />
  )
}

const dayMs = 24 * 60 * 60_000
const days = "days"
const times = [
  { value: "", label: "Any time" },
  { value: "1", label: "Last 24 hours" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: days, label: "Days from … to …" },
]

/** The period: the last hours or days, or between two dates. */
function When({ onChange }: { onChange(times: { since?: number | undefined; until?: number | undefined }): void }) {
  const [chosen, setChosen] = useState("")
  const [[from, to], setDays] = useState(["", ""])
  const between = (first: string, last: string) => {
    setDays([first, last])
    onChange({ since: dayStart(first), until: dayEnd(last) })
  }
  return (
    <>
      <ChoiceField
        label="When"
        value={chosen}
        choices={times}
        onChange={(value) => {
          setChosen(value)
          if (value === days) between(from, to)
          else onChange(value === "" ? {} : { since: Date.now() - Number(value) * dayMs })
        }}
      />
      {chosen === days ? (
        <>
          <TextInput
            type="date"
            label="From"
            max={to}
            value={from}
            onChange={(event) => between(event.currentTarget.value, to)}
          />
          <TextInput
            type="date"
            label="To"
            min={from}
            value={to}
            onChange={(event) => between(from, event.currentTarget.value)}
          />
        </>
      ) : null}
    </>
  )
}
