"use client"

import type { ListedShare } from "@docket/core"
import { Button } from "@mantine/core"
import { useMe } from "../../shell/me.tsx"
import { PageLink } from "../../shell/page-link.tsx"
import { formatDateTime } from "../../ui/format.ts"
import { ByPerson } from "../../ui/person.tsx"
import { EditedBy } from "./edited-by.tsx"
import { mayChange } from "./may-change.ts"
import styles from "./share-dialog.module.css"
import { hiddenOf, shareFacts, viewsOf } from "./share-facts.ts"
import { useLinkActions } from "./use-link-actions.ts"

interface ActiveLinksProps {
  /** The active links, newest first. */
  shares: readonly ListedShare[]
  /** The link that was just created and is still shown. */
  newest: string | null
  onEdit(shareID: string): void
  onRelinked(made: { id: string; url: string }): void
  onRevoked(shareID: string): void
}

export function ActiveLinks({ shares, newest, onEdit, onRelinked, onRevoked }: ActiveLinksProps) {
  const { isBusy, relink, revoke } = useLinkActions()
  const me = useMe()
  // The new link is shown but not in the list yet.
  if (shares.length === 0 && newest !== null) return null
  if (shares.length === 0)
    return (
      <p className={styles.hint}>
        No link is active. <PageLink href="/settings/shares">My shares</PageLink>
      </p>
    )
  return (
    <section>
      <h3 className={styles.heading}>Active links</h3>
      <ul>
        {shares.map((share) => (
          <li key={share.id} className={styles.row}>
            <div className={styles.made}>
              <p>
                {share.id === newest ? "The link above" : (share.title ?? "Link")}, made{" "}
                {formatDateTime(share.time.created)} <ByPerson by={share.by} />
                <EditedBy share={share} />
              </p>
              <p className={styles.meta}>{[...shareFacts(share, Date.now()), viewsOf(share)].join(" · ")}</p>
              {Object.keys(share.hidden).length > 0 ? <p className={styles.meta}>Hidden: {hiddenOf(share)}</p> : null}
            </div>
            {mayChange(share, me) ? (
              <span className={styles.actions}>
                <Button variant="subtle" disabled={isBusy} onClick={() => onEdit(share.id)}>
                  Change
                </Button>
                <Button
                  variant="subtle"
                  disabled={isBusy}
                  title="The old link stops working"
                  onClick={() => void relink(share.id).then((made) => made && onRelinked(made))}
                >
                  New link
                </Button>
                <Button
                  color="red"
                  variant="subtle"
                  disabled={isBusy}
                  onClick={() => void revoke(share.id).then(() => onRevoked(share.id))}
                >
                  Revoke
                </Button>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      <p className={styles.hint}>
        <PageLink href="/settings/shares">My shares</PageLink>
      </p>
    </section>
  )
}
