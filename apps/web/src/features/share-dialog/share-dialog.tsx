"use client"

import { useTRPC } from "@docket/client/react"
import { Button, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Check, Copy } from "lucide-react"
import { useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Dialog } from "../../shell/dialog.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { formatDateTime } from "../../ui/format.ts"
import { RelativeTime } from "../../ui/relative-time.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import styles from "./share-dialog.module.css"

/** Makes and revokes public links to a session tree, after saying what they show. */
export function ShareDialog({ rootID, onClose }: { rootID: string | null; onClose: () => void }) {
  return (
    <Dialog opened={rootID !== null} onClose={onClose} title="Share this session" size={560}>
      {rootID ? <ShareBody rootID={rootID} /> : null}
    </Dialog>
  )
}

function ShareBody({ rootID }: { rootID: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const create = useMutation(trpc.share.create.mutationOptions())
  const makeLink = async () => {
    await create.mutateAsync({ rootID })
    void queries.invalidateQueries(trpc.share.list.pathFilter())
  }
  const forget = (shareID: string) => {
    if (create.data?.id === shareID) create.reset()
  }
  return (
    <div className={styles.body}>
      <p>Anyone who has the link can read a copy of the whole session, without signing in, until you revoke it:</p>
      <ul className={styles.public}>
        <li>every prompt and answer, in this session and in all its subagents</li>
        <li>what tools printed: commands, their output, search results</li>
        <li>file contents that were read, and the changes made to files</li>
        <li>todos, models, token counts and cost</li>
        <li>what the agents do from now on, live</li>
      </ul>
      <p>
        Keys, passwords and home directories that Docket finds are replaced by labels in the copy. It cannot know every
        secret: look through the session first. Readers cannot write or run anything.
      </p>
      {create.data ? (
        <NewLink url={create.data.url} />
      ) : (
        <div>
          <Button variant="filled" loading={create.isPending} onClick={() => makeLink().catch(() => {})}>
            Create public link
          </Button>
        </div>
      )}
      {create.error ? <ErrorState title="No link was made" message={create.error.message} /> : null}
      <ActiveLinks rootID={rootID} newest={create.data?.id ?? null} onRevoked={forget} />
    </div>
  )
}

function NewLink({ url }: { url: string }) {
  const announce = useAnnounce()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(url)
    setCopied(true)
    announce("Link copied")
  }
  return (
    <div>
      <div className={styles.link}>
        <TextInput
          className={styles.url ?? ""}
          label="Public link"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          onClick={() => copy().catch(() => {})}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
      </div>
      <p className={styles.hint}>Copy it now. Docket keeps no copy, so it cannot be shown again.</p>
    </div>
  )
}

interface ActiveLinksProps {
  rootID: string
  /** The link that is on screen. */
  newest: string | null
  onRevoked: (shareID: string) => void
}

function ActiveLinks({ rootID, newest, onRevoked }: ActiveLinksProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const shares = useQuery(trpc.share.list.queryOptions({ rootID }))
  const revoke = useMutation(trpc.share.revoke.mutationOptions())
  const revokeLink = async (shareID: string) => {
    await revoke.mutateAsync({ shareID })
    onRevoked(shareID)
    announce("Link revoked")
    void queries.invalidateQueries(trpc.share.list.pathFilter())
  }
  if (shares.isPending) return <SkeletonRows count={1} height={36} label="Loading links" />
  if (shares.isLoadingError)
    return <ErrorState title="Links cannot be listed" message={shares.error.message} onRetry={() => shares.refetch()} />
  const active = shares.data.filter((share) => share.time.revoked === null)
  if (active.length === 0) return <p className={styles.hint}>No link is active.</p>
  return (
    <section>
      <h3 className={styles.heading}>Active links</h3>
      <ul>
        {active.map((share) => (
          <li key={share.id} className={styles.row}>
            <span className={styles.made}>
              {share.id === newest ? "The link above, made " : "Made "}
              {formatDateTime(share.time.created)} (<RelativeTime time={share.time.created} />)
            </span>
            <Button
              color="red"
              variant="subtle"
              disabled={revoke.isPending}
              onClick={() => revokeLink(share.id).catch(() => {})}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      {revoke.error ? <p role="alert">{revoke.error.message}</p> : null}
    </section>
  )
}
