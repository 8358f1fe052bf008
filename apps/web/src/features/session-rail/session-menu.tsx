"use client"

import { useTRPC } from "@docket/client/react"
import type { Session } from "@docket/core/schema"
import { Button, Group, Menu, Modal, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Archive, ArchiveRestore, Ellipsis, Pencil, Trash2 } from "lucide-react"
import { useParams, useRouter } from "next/navigation"
import { useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { sessionTitle } from "../../ui/session-title.ts"

type Dialog = "rename" | "delete" | null

/** Rename, archive and delete for one session. Only a root can be archived. */
export function SessionMenu(props: {
  session: Session
  /** Rows of the rail keep their buttons out of the tab order. */
  tabIndex?: number
  size?: number
  opened?: boolean
  onChange?: (opened: boolean) => void
}) {
  const { session } = props
  const [dialog, setDialog] = useState<Dialog>(null)
  const archived = session.time.archived !== null
  const { update, refresh } = useSessionUpdate()
  const announce = useAnnounce()
  const archive = async () => {
    await update.mutateAsync({ sessionID: session.id, archived: !archived })
    announce(archived ? "Brought back" : "Archived")
    refresh()
  }
  return (
    <>
      <Menu
        position="bottom-end"
        width={180}
        {...(props.opened === undefined ? {} : { opened: props.opened })}
        {...(props.onChange ? { onChange: props.onChange } : {})}
      >
        <Menu.Target>
          <IconButton
            label={`Actions for ${sessionTitle(session.title)}`}
            {...(props.size ? { size: props.size } : {})}
            tabIndex={props.tabIndex}
          >
            <Ellipsis size={16} />
          </IconButton>
        </Menu.Target>
        <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
          <Menu.Item leftSection={<Pencil size={14} />} onClick={() => setDialog("rename")}>
            Rename…
          </Menu.Item>
          {session.parentID === null ? (
            <Menu.Item
              leftSection={archived ? <ArchiveRestore size={14} /> : <Archive size={14} />}
              onClick={() => archive().catch(showProblem)}
            >
              {archived ? "Bring back" : "Archive"}
            </Menu.Item>
          ) : null}
          <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={() => setDialog("delete")}>
            Delete…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === "rename" ? <RenameDialog session={session} onClose={() => setDialog(null)} /> : null}
      {dialog === "delete" ? <DeleteDialog session={session} onClose={() => setDialog(null)} /> : null}
    </>
  )
}

function useSessionUpdate() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const update = useMutation(trpc.session.update.mutationOptions())
  return { update, refresh: () => void queries.invalidateQueries(trpc.session.list.pathFilter()) }
}

function RenameDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const { update, refresh } = useSessionUpdate()
  const [title, setTitle] = useState(sessionTitle(session.title))
  const save = async () => {
    await update.mutateAsync({ sessionID: session.id, title: title.trim() })
    refresh()
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Rename session" closeButtonProps={{ "aria-label": "Close" }}>
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
    </Modal>
  )
}

function DeleteDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const params = useParams<{ root?: string; child?: string }>()
  const remove = useMutation(trpc.session.remove.mutationOptions())
  const confirm = async () => {
    await remove.mutateAsync({ sessionID: session.id })
    void queries.invalidateQueries(trpc.session.list.pathFilter())
    onClose()
    if (params.root === session.id) router.push("/")
    else if (params.child === session.id) router.push(`/s/${session.rootID}`)
  }
  return (
    <Modal opened onClose={onClose} title="Delete session" closeButtonProps={{ "aria-label": "Close" }}>
      <p>
        “{sessionTitle(session.title)}” and its subagents stop, and their transcripts and share links are removed. Files
        in the project stay as they are. This cannot be undone.
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
    </Modal>
  )
}
