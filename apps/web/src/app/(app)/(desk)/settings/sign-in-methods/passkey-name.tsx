"use client"

import { Button, TextInput } from "@mantine/core"
import { useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import entries from "../../../../../ui/entries.module.css"
import { send } from "../../../(signed-out)/send.ts"
import styles from "./methods.module.css"
import { type Passkey, passkeysKey } from "./use-methods.ts"

export function PasskeyName({ passkey, onDone }: { passkey: Passkey; onDone(): void }) {
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [name, setName] = useState(passkey.name ?? "")
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const rename = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const sent = await send("passkey/rename", { id: passkey.id, name: name.trim() })
    if (sent.ok) {
      await queries.invalidateQueries({ queryKey: passkeysKey })
      announce("The passkey is renamed")
      return onDone()
    }
    setBusy(false)
    setProblem(sent.message)
  }
  return (
    <form className={styles.row} onSubmit={rename}>
      <TextInput
        className={styles.field ?? ""}
        label={`New name of ${passkey.name || "the passkey"}`}
        autoComplete="off"
        autoFocus
        maxLength={60}
        required
        withAsterisk={false}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="filled" loading={busy}>
        Save
      </Button>
      <Button onClick={onDone}>Cancel</Button>
      {problem === null ? null : (
        <p role="alert" className={entries.problem}>
          {problem}
        </p>
      )}
    </form>
  )
}
