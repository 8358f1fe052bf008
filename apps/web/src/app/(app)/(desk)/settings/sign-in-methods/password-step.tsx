"use client"

import { Button, PasswordInput } from "@mantine/core"
import { type FormEvent, useState } from "react"
import entries from "../../../../../ui/entries.module.css"
import styles from "./methods.module.css"

interface PasswordStepProps {
  /** Label of the button: the action that needs the password. */
  action: string
  /** Returns the error; null on success. */
  submit(password: string): Promise<string | null>
  onCancel(): void
}

/** Asks for the password before a change of the sign-in methods. */
export function PasswordStep({ action, submit, onCancel }: PasswordStepProps) {
  const [password, setPassword] = useState("")
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submitPassword = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const found = await submit(password)
    // On success, another component has already replaced this form.
    if (found === null) return
    setProblem(found)
    setBusy(false)
  }
  return (
    <form className={styles.row} onSubmit={submitPassword}>
      <PasswordInput
        className={styles.field ?? ""}
        label="Your password"
        autoComplete="current-password"
        autoFocus
        required
        withAsterisk={false}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        visibilityToggleButtonProps={{ "aria-label": "Show the password" }}
      />
      <Button type="submit" variant="filled" loading={busy}>
        {action}
      </Button>
      <Button onClick={onCancel}>Cancel</Button>
      {problem === null ? null : (
        <p role="alert" className={entries.problem}>
          {problem}
        </p>
      )}
    </form>
  )
}
