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
  const wanted = typed.trim() === "" ? null : Number(typed)
  const isNumber = wanted === null || (Number.isInteger(wanted) && wanted >= 1 && wanted <= 1_000)
  const save = async () => {
    await update.mutateAsync({ turns: wanted })
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
        <Button type="submit" disabled={!isNumber || wanted === turns} loading={update.isPending}>
          Save
        </Button>
      ) : null}
    </form>
  )
}
