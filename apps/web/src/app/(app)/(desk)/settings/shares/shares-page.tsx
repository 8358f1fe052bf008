"use client"

import { useTRPC } from "@docket/client/react"
import type { ListedShare } from "@docket/core"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { NewLink } from "../../../../../features/share-dialog/new-link.tsx"
import { isOpen } from "../../../../../features/share-dialog/share-facts.ts"
import { useLinkActions } from "../../../../../features/share-dialog/use-link-actions.ts"
import { Can } from "../../../../../shell/me.tsx"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../../ui/error-state.tsx"
import page from "../../../../../ui/page.module.css"
import { SkeletonRows } from "../../../../../ui/skeleton-rows.tsx"
import settings from "../settings.module.css"
import { SettingsHeader } from "../settings-header.tsx"
import { ShareRow } from "./share-row.tsx"
import styles from "./shares.module.css"

/** All share links of the workspace: what each shows, who opened it, and how to revoke it. */
export function SharesPage() {
  const trpc = useTRPC()
  const shares = useQuery(trpc.share.list.queryOptions({}))
  const [made, setMade] = useState<{ id: string; url: string } | null>(null)
  return (
    <div className={page.page}>
      <SettingsHeader title="My shares" actions={<RevokeAll shares={shares.data ?? []} />} />
      <div className={page.main}>
        {made ? (
          <NewLink key={made.id + made.url} url={made.url} doneLabel="Done" onDone={() => setMade(null)} />
        ) : null}
        {shares.isPending ? (
          <SkeletonRows count={4} height={72} label="Loading links" />
        ) : shares.isLoadingError ? (
          <ErrorState
            title="Links cannot be listed"
            message={shares.error.message}
            onRetry={() => void shares.refetch()}
          />
        ) : (
          <Shares shares={shares.data} onRelinked={setMade} />
        )}
      </div>
    </div>
  )
}

interface SharesProps {
  shares: readonly ListedShare[]
  onRelinked(made: { id: string; url: string }): void
}

function Shares({ shares, onRelinked }: SharesProps) {
  const [open, ended] = [true, false].map((works) => shares.filter((share) => isOpen(share, Date.now()) === works))
  if (shares.length === 0)
    return (
      <EmptyState>
        Nothing is shared.
        <Can do="share"> Open a session and choose Share: you see what would be published before anything leaves.</Can>
      </EmptyState>
    )
  const rows = (list: readonly ListedShare[] = []) =>
    list.map((share) => <ShareRow key={share.id} share={share} onRelinked={onRelinked} />)
  return (
    <>
      <p className={settings.about}>
        A link itself cannot be shown again: Docket keeps no copy of it. A new link to the same copy ends the old one.
      </p>
      <ul aria-label="Links that work" className={styles.list}>
        {rows(open)}
      </ul>
      {ended !== undefined && ended.length > 0 ? (
        <details className={styles.ended}>
          <summary>Ended: {ended.length}</summary>
          <ul aria-label="Links that ended">{rows(ended)}</ul>
        </details>
      ) : null}
    </>
  )
}

/** Asks for confirmation, because revoking cannot be undone. */
function RevokeAll({ shares }: { shares: readonly ListedShare[] }) {
  const { isBusy, revokeAll } = useLinkActions()
  const [isAsking, setAsking] = useState(false)
  const count = shares.filter((share) => isOpen(share, Date.now())).length
  if (count === 0) return null
  if (!isAsking)
    return (
      <Button color="red" variant="subtle" disabled={isBusy} onClick={() => setAsking(true)}>
        Revoke all…
      </Button>
    )
  return (
    <>
      <Button
        color="red"
        onClick={() => {
          setAsking(false)
          void revokeAll()
        }}
      >
        Revoke {count === 1 ? "the link" : `all ${count} links`}
      </Button>
      <Button onClick={() => setAsking(false)}>Keep them</Button>
    </>
  )
}
