"use client"

import { useTRPC } from "@docket/client/react"
import { Button, PasswordInput } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { showDone } from "../../../../../shell/show-done.ts"
import { CheckedLine } from "../../../../../ui/checked-line.tsx"
import entries from "../../../../../ui/entries.module.css"
import { send } from "../../../(signed-out)/send.ts"

const toggleProps = { "aria-label": "Show the password" }

/** Changes the password; the current one is required. */
export function PasswordForm() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [current, setCurrent] = useState("")
  const [next, setNext] = useState("")
  const [endsOthers, setEndsOthers] = useState(true)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: endsOthers }
    const sent = await send("change-password", body)
    setBusy(false)
    setProblem(sent.ok ? null : sent.message)
    if (!sent.ok) return
    setCurrent("")
    setNext("")
    announce("The password is changed")
    void showDone("The password is changed", "none")
    void queries.invalidateQueries(trpc.team.signIns.pathFilter())
  }
  return (
    <form className={entries.form} aria-label="Change the password" onSubmit={save}>
      <div className={entries.pair}>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          visibilityToggleButtonProps={toggleProps}
        />
        <PasswordInput
          label="New password, at least 10 characters"
          autoComplete="new-password"
          required
          withAsterisk={false}
          minLength={10}
          maxLength={128}
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          visibilityToggleButtonProps={toggleProps}
        />
      </div>
      <CheckedLine label="Sign out everywhere else" checked={endsOthers} onChange={setEndsOthers} />
      {problem === null ? null : (
        <p role="alert" className={entries.problem}>
          {problem}
        </p>
      )}
      <div className={entries.actions}>
        <Button type="submit" variant="filled" disabled={current === "" || next === ""} loading={busy}>
          Change the password
        </Button>
      </div>
    </form>
  )
}
