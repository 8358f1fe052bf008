"use client"

import type { Capability, RoleLabels } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import type { Role } from "@docket/core/schema"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { CheckedLine } from "../../../../../ui/checked-line.tsx"
import { ChoiceField } from "../../../../../ui/choice-field.tsx"
import entries from "../../../../../ui/entries.module.css"
import { roleFrom, roleName, rolesUpTo, withArticle } from "../role-choice.ts"
import { callsFrom, limitableTo } from "./key-labels.ts"
import styles from "./keys.module.css"

const forever = "0"
const lives = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "A year" },
  { value: forever, label: "Until it is revoked" },
]

/** The chosen capabilities; null: everything that the role may do. */
type Chosen = ReadonlySet<Capability> | null

interface KeyFormProps {
  /** The user's role: a key may not have more rights. */
  role: Role
  onMade(key: { name: string; key: string }): void
  onClose(): void
}

/** The form for a new key: its name, role, limits and end. */
export function KeyForm({ role: ownRole, onMade, onClose }: KeyFormProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [name, setName] = useState("")
  const [role, setRole] = useState<Role>(ownRole === "owner" || ownRole === "admin" ? "member" : ownRole)
  const [days, setDays] = useState("90")
  const [chosen, setChosen] = useState<Chosen>(null)
  const [callsText, setCallsText] = useState("")
  const calls = callsFrom(callsText)
  const roleLabels = useQuery({ ...trpc.me.roles.queryOptions(), staleTime: Number.POSITIVE_INFINITY })
  const offered = limitableTo(roleLabels.data ?? [], role)
  // Capabilities that a lower role does not have are not sent, even if they were chosen before.
  const limits = chosen && offered.flatMap(({ capability }) => (chosen.has(capability) ? [capability] : []))
  const isIncomplete = name.trim() === "" || limits?.length === 0 || calls === undefined
  const create = useMutation(
    trpc.team.createKey.mutationOptions({
      onSuccess: (made) => {
        void queries.invalidateQueries(trpc.team.keys.pathFilter())
        announce("The key is made")
        onMade(made)
      },
    }),
  )
  return (
    <form
      className={entries.form}
      aria-label="New key"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({
          name: name.trim(),
          role,
          ...(days === forever ? {} : { days: Number(days) }),
          ...(limits ? { capabilities: limits } : {}),
          ...(calls ? { perMinute: calls } : {}),
        })
      }}
    >
      <TextInput
        label="Name"
        placeholder="What uses it, such as nightly report"
        required
        withAsterisk={false}
        autoFocus
        autoComplete="off"
        maxLength={80}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <div className={entries.pair}>
        <ChoiceField
          label="May do as much as"
          value={role}
          choices={rolesUpTo(ownRole).map((each) => ({ value: each, label: roleName(each) }))}
          onChange={(value) => setRole(roleFrom(value, role))}
        />
        <ChoiceField label="Works" value={days} choices={lives} onChange={setDays} />
      </div>
      <TextInput
        label="Calls in a minute"
        description="Empty: as many as any key of this service."
        inputMode="numeric"
        placeholder="As many as any"
        value={callsText}
        error={calls === undefined ? "A whole number, or nothing." : null}
        onChange={(event) => setCallsText(event.currentTarget.value)}
      />
      <Limits role={role} chosen={chosen} offered={offered} onChoose={setChosen} />
      {create.error ? (
        <p role="alert" className={entries.problem}>
          {create.error.message}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button type="submit" variant="filled" disabled={isIncomplete} loading={create.isPending}>
          Make the key
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface LimitsProps {
  role: Role
  chosen: Chosen
  offered: RoleLabels["may"]
  onChoose(chosen: Chosen): void
}

/** The choice between all capabilities of the role, or some of them. */
function Limits({ role, chosen, offered, onChoose }: LimitsProps) {
  const toggle = (capability: Capability, isChosen: boolean) => {
    const rest = [...(chosen ?? [])].filter((each) => each !== capability)
    onChoose(new Set(isChosen ? [...rest, capability] : rest))
  }
  return (
    <>
      <CheckedLine
        label={`Only some of what ${withArticle(role)} may do`}
        checked={chosen !== null}
        onChange={(isLimited) => onChoose(isLimited ? new Set() : null)}
      />
      {chosen === null ? null : (
        <fieldset className={styles.limits}>
          <legend className="visually-hidden">What the key may do</legend>
          {offered.map(({ capability, words }) => (
            <CheckedLine
              key={capability}
              label={words}
              checked={chosen.has(capability)}
              onChange={(isChosen) => toggle(capability, isChosen)}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
