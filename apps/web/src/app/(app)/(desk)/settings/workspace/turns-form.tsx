"use client"

import { Button, TextInput } from "@mantine/core"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { useWorkspaceUpdate } from "./use-workspace-update.ts"
import styles from "./workspace.module.css"

interface TurnsFormProps {
  /** Null: no limit. */
  turns: number | null
  mayChange: boolean
}

/** How many sessions may work at the same time; the others are queued. */
export function TurnsForm({ turns, mayChange }: TurnsFormProps) {
  const announce = useAnnounce()
  const [typed, setTyped] = useState(turns === null ? "" : String(turns))
  const update = useWorkspaceUpdate()
  const newLimit = typed.trim() === "" ? null : Number(typed)
  const isNumber = newLimit === null || (Number.isInteger(newLimit) && newLimit >= 1 && newLimit <= 1_000)
  const save = async () => {
    await update.mutateAsync({ turns: newLimit })
    announce("The limit is saved")
  }
  return (
    <form
      className={styles.turns}
      onSubmit={(event) => {
        event.preventDefault()
        save().catch(() => {})
      }}
    >
      <TextInput
        label="Sessions that work at the same time"
        description="Empty: any number. Others wait for their turn; the tasks of a session work with it."
        inputMode="numeric"
        placeholder="Any number"
        disabled={!mayChange}
        value={typed}
        error={isNumber ? update.error?.message : "A whole number from 1 to 1,000, or nothing."}
        onChange={(event) => {
          update.reset()
          setTyped(event.currentTarget.value)
        }}
      />
      {mayChange ? (
        <Button type="submit" disabled={!isNumber || newLimit === turns} loading={update.isPending}>
          Save
        </Button>
      ) : null}
    </form>
  )
}
