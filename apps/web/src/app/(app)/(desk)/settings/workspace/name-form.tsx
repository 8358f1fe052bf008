"use client"

import { useTRPC } from "@docket/client/react"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import styles from "./workspace.module.css"

export function NameForm({ name, mayChange }: { name: string; mayChange: boolean }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [typed, setTyped] = useState(name)
  const rename = useMutation(trpc.workspace.rename.mutationOptions())
  const newName = typed.trim()
  const save = async () => {
    await rename.mutateAsync({ name: newName })
    await queries.invalidateQueries(trpc.workspace.list.pathFilter())
    announce("The name is saved")
  }
  return (
    <form
      className={styles.turns}
      onSubmit={(event) => {
        event.preventDefault()
        if (newName !== "") save().catch(() => {})
      }}
    >
      <TextInput
        label="Name of the workspace"
        maxLength={80}
        disabled={!mayChange}
        value={typed}
        error={rename.error?.message}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {mayChange ? (
        <Button type="submit" disabled={newName === "" || newName === name} loading={rename.isPending}>
          Save
        </Button>
      ) : null}
    </form>
  )
}
