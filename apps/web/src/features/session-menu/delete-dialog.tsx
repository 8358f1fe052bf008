"use client"

import { useTRPC } from "@docket/client/react"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Button, Group } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useParams } from "next/navigation"
import { Dialog } from "../../shell/dialog.tsx"
import { useGo } from "../../shell/use-go.ts"

const worktreeGoes = "The worktree of this fork is removed, with all that is not committed in it."

export function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const go = useGo()
  const params = useParams<{ root?: string; child?: string }>()
  const remove = useMutation(trpc.session.remove.mutationOptions())
  const confirm = async () => {
    await remove.mutateAsync({ sessionID: session.id })
    void queries.invalidateQueries(trpc.session.list.pathFilter())
    onClose()
    if (params.root === session.id) go("/")
    else if (params.child === session.id) go(`/s/${session.rootID}`)
  }
  return (
    <Dialog opened onClose={onClose} title="Delete session">
      <p>
        “{shortTitle(session)}” and its subagents stop, and their transcripts and share links are removed. Files in the
        project stay as they are. {session.branch === undefined ? "" : `${worktreeGoes} `}This cannot be undone.
      </p>
      {remove.error ? <p role="alert">{remove.error.message}</p> : null}
      <Group justify="flex-end" mt="md">
        <Button data-autofocus onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" color="red" loading={remove.isPending} onClick={() => confirm().catch(() => {})}>
          Delete
        </Button>
      </Group>
    </Dialog>
  )
}
