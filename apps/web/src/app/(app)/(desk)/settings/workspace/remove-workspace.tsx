"use client"

import { useTRPC } from "@docket/client/react"
import { Button, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import settings from "../settings.module.css"
import styles from "./workspace.module.css"

/** Removes the workspace after the user has typed its name. Then the page is loaded again in another workspace. */
export function RemoveWorkspace({ name }: { name: string }) {
  const trpc = useTRPC()
  const [typed, setTyped] = useState("")
  const remove = useMutation(trpc.workspace.remove.mutationOptions({ onSuccess: () => location.assign("/") }))
  return (
    <>
      <p className={settings.hint}>
        Its agents stop. Sessions, memory, schedules, links, keys and members are gone for good. The files of its
        projects stay as they are.
      </p>
      <form
        className={styles.turns}
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() === name) remove.mutate({ name })
        }}
      >
        <TextInput
          label={`To remove it, write its name: ${name}`}
          autoComplete="off"
          value={typed}
          error={remove.error?.message}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          type="submit"
          color="red"
          disabled={typed.trim() !== name}
          loading={remove.isPending || remove.isSuccess}
        >
          Remove workspace
        </Button>
      </form>
    </>
  )
}
