"use client"

import { useTRPC } from "@docket/client/react"
import type { Role } from "@docket/core/schema"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { ChoiceField } from "../../../../../ui/choice-field.tsx"
import entries from "../../../../../ui/entries.module.css"
import { roleFrom, roleName, rolesUpTo } from "../role-choice.ts"
import type { LinkFor } from "./new-link.tsx"

interface InviteFormProps {
  /** The user's role: nobody can give a higher role. */
  role: Role
  onMade(made: LinkFor): void
  onClose(): void
}

export function InviteForm({ role: ownRole, onMade, onClose }: InviteFormProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [email, setEmail] = useState("")
  const [role, setRole] = useState<Role>("member")
  const invite = useMutation(
    trpc.team.invite.mutationOptions({
      onSuccess: (made) => {
        void queries.invalidateQueries(trpc.team.invitations.pathFilter())
        announce(`${made.email} is invited`)
        onMade({ link: made, who: made.email, role: made.role })
      },
    }),
  )
  return (
    <form
      className={entries.form}
      aria-label="Invite somebody"
      onSubmit={(event) => {
        event.preventDefault()
        invite.mutate({ email: email.trim(), role })
      }}
    >
      <div className={entries.pair}>
        <TextInput
          label="E-mail"
          type="email"
          required
          withAsterisk={false}
          autoFocus
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <ChoiceField
          label="As"
          value={role}
          choices={rolesUpTo(ownRole).map((each) => ({ value: each, label: roleName(each) }))}
          onChange={(value) => setRole(roleFrom(value, role))}
        />
      </div>
      {invite.error ? (
        <p role="alert" className={entries.problem}>
          {invite.error.message}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button type="submit" variant="filled" disabled={email.trim() === ""} loading={invite.isPending}>
          Make the invitation
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
