"use client"

import { useTRPC } from "@docket/client/react"
import { useMediaQuery } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { ActiveLinks } from "./active-links.tsx"
import { NewLink } from "./new-link.tsx"
import styles from "./share-dialog.module.css"
import { ShareEditor } from "./share-editor.tsx"
import { isOpen } from "./share-facts.ts"

interface ShareDialogProps {
  rootID: string | null
  /** The share to change; undefined to create one. */
  shareID?: string | undefined
  onClose: () => void
}

/**
 * Previews what a share of a tree would publish, lets the user decide what to include, and creates, changes and revokes
 * links.
 */
export function ShareDialog({ rootID, shareID, onClose }: ShareDialogProps) {
  const phone = useMediaQuery("(max-width: 767px)") ?? false
  return (
    <Dialog
      opened={rootID !== null}
      onClose={onClose}
      title={shareID === undefined ? "Share this session" : "Change this share"}
      size={720}
      fullScreen={phone}
    >
      {rootID ? <ShareBody rootID={rootID} shareID={shareID} onClose={onClose} /> : null}
    </Dialog>
  )
}

function ShareBody({ rootID, shareID, onClose }: ShareDialogProps & { rootID: string }) {
  const trpc = useTRPC()
  const shares = useQuery(trpc.share.list.queryOptions({ rootID }))
  const [editing, setEditing] = useState(shareID)
  const [made, setMade] = useState<{ id: string; url: string } | null>(null)
  if (shares.isPending) return <SkeletonRows count={4} height={36} label="Loading links" />
  if (shares.isLoadingError)
    return <ErrorState title="Links cannot be listed" message={shares.error.message} onRetry={() => shares.refetch()} />
  const open = shares.data.filter((share) => isOpen(share, Date.now()))
  const edited = open.find(({ id }) => id === editing)
  return (
    <div className={styles.body}>
      {made ? (
        <NewLink key={made.url} url={made.url} doneLabel="Make another link" onDone={() => setMade(null)} />
      ) : (
        <ShareEditor
          key={edited?.id ?? "new"}
          rootID={rootID}
          share={edited}
          onMade={setMade}
          onDone={() => (shareID === undefined ? setEditing(undefined) : onClose())}
        />
      )}
      {edited ? null : (
        <ActiveLinks
          shares={open}
          newest={made?.id ?? null}
          onEdit={(id) => {
            setMade(null)
            setEditing(id)
          }}
          onRelinked={setMade}
          onRevoked={(id) => made?.id === id && setMade(null)}
        />
      )}
    </div>
  )
}
