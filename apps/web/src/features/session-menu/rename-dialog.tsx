"use client"

import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Button, Group, TextInput } from "@mantine/core"
import { useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { useSessionUpdate } from "./use-session-update.ts"

export function RenameDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { update, refresh } = useSessionUpdate()
  const [title, setTitle] = useState(shortTitle(session))
  const save = async () => {
    await update.mutateAsync({ sessionID: session.id, title: title.trim() })
    refresh()
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title="Rename session">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (title.trim() !== "") save().catch(() => {})
        }}
      >
        <TextInput
          label="Title"
          data-autofocus
          value={title}
          error={update.error?.message}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="filled" disabled={title.trim() === ""} loading={update.isPending}>
            Rename
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
