"use client"

import type { ListedShare } from "@docket/core"
import { Button } from "@mantine/core"
import Link from "next/link"
import { EditedBy } from "../../../../../features/share-dialog/edited-by.tsx"
import { mayChange } from "../../../../../features/share-dialog/may-change.ts"
import { hiddenOf, isOpen, shareFacts, viewsOf } from "../../../../../features/share-dialog/share-facts.ts"
import { useLinkActions } from "../../../../../features/share-dialog/use-link-actions.ts"
import { useAppActions } from "../../../../../shell/app-actions.tsx"
import { useMe } from "../../../../../shell/me.tsx"
import entries from "../../../../../ui/entries.module.css"
import { formatDateTime } from "../../../../../ui/format.ts"
import { ByPerson } from "../../../../../ui/person.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import styles from "./shares.module.css"

interface ShareRowProps {
  share: ListedShare
  onRelinked(made: { id: string; url: string }): void
}

/** One share link: its audience, hidden content, views, and actions. */
export function ShareRow({ share, onRelinked }: ShareRowProps) {
  const { title, sessionTitle, rootID, time, viewed } = share
  const name = title ?? (sessionTitle || "Untitled session")
  const me = useMe()
  return (
    <li className={`${entries.item} ${styles.row}`}>
      <div className={entries.text}>
        <p className={styles.title}>
          <Link href={`/s/${rootID}`}>{name}</Link>
        </p>
        {title !== null && sessionTitle !== "" ? <p className={entries.meta}>Session: {sessionTitle}</p> : null}
        <p className={entries.meta}>
          {shareFacts(share, Date.now()).join(" · ")} · made {formatDateTime(time.created)} <ByPerson by={share.by} />
          <EditedBy share={share} />
        </p>
        <p className={entries.meta}>
          {viewsOf(share)}
          {viewed === null ? null : (
            <>
              , last <RelativeTime time={viewed} />
            </>
          )}
          {Object.keys(share.hidden).length > 0 ? ` · hidden: ${hiddenOf(share)}` : ""}
        </p>
      </div>
      {isOpen(share, Date.now()) && mayChange(share, me) ? (
        <Actions share={share} name={name} onRelinked={onRelinked} />
      ) : null}
    </li>
  )
}

function Actions({ share, name, onRelinked }: Pick<ShareRowProps, "share" | "onRelinked"> & { name: string }) {
  const actions = useAppActions()
  const { isBusy, relink, revoke } = useLinkActions()
  return (
    <div className={entries.actions}>
      <Button
        disabled={isBusy}
        aria-label={`Change the share ${name}`}
        onClick={() => actions.share(share.rootID, share.id)}
      >
        Change
      </Button>
      <Button
        disabled={isBusy}
        aria-label={`New link to ${name}`}
        onClick={() => void relink(share.id).then((made) => made && onRelinked(made))}
      >
        New link
      </Button>
      <Button
        color="red"
        variant="subtle"
        disabled={isBusy}
        aria-label={`Revoke the link to ${name}`}
        onClick={() => void revoke(share.id)}
      >
        Revoke
      </Button>
    </div>
  )
}
