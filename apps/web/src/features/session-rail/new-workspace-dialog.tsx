"use client"

import { useTRPC } from "@docket/client/react"
import { Button, Group, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { useSwitchWorkspace } from "../../shell/use-switch-workspace.ts"

/** Creates a workspace that the user owns, and opens it. */
export function NewWorkspaceDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const [name, setName] = useState("")
  const create = useMutation(trpc.workspace.create.mutationOptions())
  const { go, isPending } = useSwitchWorkspace()
  const make = async () => {
    const { id } = await create.mutateAsync({ name: name.trim() })
    // No project can be opened there until its directories are set.
    go(id, "/settings/workspace")
  }
  return (
    <Dialog opened onClose={onClose} title="New workspace">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== "") make().catch(() => {})
        }}
      >
        <p>
          It has sessions, projects, keys, memory and people of its own. You are its owner. It opens no directory before
          you name those in which its projects lie.
        </p>
        <TextInput
          label="Name"
          mt="md"
          data-autofocus
          maxLength={80}
          value={name}
          error={create.error?.message}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" disabled={name.trim() === ""} loading={create.isPending || isPending}>
            Make workspace
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
