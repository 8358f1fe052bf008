"use client"

import { useTRPC } from "@docket/client/react"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Button, Group } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { useGo } from "../../shell/use-go.ts"
import { CheckedLine } from "../../ui/checked-line.tsx"

interface ForkDialogProps {
  session: Session
  /** The copy has what was said before this message; when left out, all of it. */
  messageID?: string | undefined
  onClose: () => void
}

export function ForkDialog({ session, messageID, onClose }: ForkDialogProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const go = useGo()
  const [worktree, setWorktree] = useState(false)
  const fork = useMutation(trpc.session.fork.mutationOptions())
  const confirm = async () => {
    const { id } = await fork.mutateAsync({ sessionID: session.id, messageID, worktree })
    void queries.invalidateQueries(trpc.session.list.pathFilter())
    onClose()
    go(`/s/${id}`)
  }
  return (
    <Dialog opened onClose={onClose} title="Fork session">
      <p>
        {messageID === undefined ? "The whole conversation" : "The conversation before this turn"} of “
        {shortTitle(session)}” is copied into a new session. Todos, tasks and what was allowed stay here.
      </p>
      <CheckedLine
        label="With its files of that moment"
        hint="The copy works in a git worktree, on a branch of its own. Otherwise it works on the project's files as they are."
        checked={worktree}
        onChange={setWorktree}
      />
      {fork.error ? <p role="alert">{fork.error.message}</p> : null}
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Cancel</Button>
        <Button data-autofocus variant="filled" loading={fork.isPending} onClick={() => confirm().catch(() => {})}>
          Fork
        </Button>
      </Group>
    </Dialog>
  )
}
