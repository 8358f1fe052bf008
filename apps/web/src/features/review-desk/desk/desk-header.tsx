"use client"

import { shortTitle } from "@docket/core/session-title"
import { ChevronRight, CircleHelp } from "lucide-react"
import Link from "next/link"
import { useAppActions } from "../../../shell/app-actions.tsx"
import { ConnectionChip } from "../../../shell/connection-chip.tsx"
import { PageHeader } from "../../../shell/page-header.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import styles from "../review-page.module.css"
import { ReviewProgress } from "../task/task-tree.tsx"
import type { Desk } from "./use-desk.ts"

/** Which session is reviewed, and how far that is. */
export function DeskHeader({ desk }: { desk: Desk }) {
  const { openHelp } = useAppActions()
  const root = desk.store.get().tree?.sessions[desk.rootID]
  return (
    <PageHeader
      actions={
        <>
          <ReviewProgress rows={desk.rows} />
          <IconButton label="Keyboard help (?)" className={styles.help ?? ""} onClick={openHelp}>
            <CircleHelp size={15} />
          </IconButton>
        </>
      }
    >
      <nav aria-label="The session that is reviewed" className={styles.crumbs}>
        <Link href={`/s/${desk.rootID}`}>{root === undefined ? "Session" : shortTitle(root)}</Link>
        <ChevronRight size={12} aria-hidden />
        <span>Review</span>
      </nav>
      <ConnectionChip store={desk.store} />
    </PageHeader>
  )
}
