"use client"

import { shortTitle } from "@docket/core/session-title"
import { ChevronRight, CircleHelp, History } from "lucide-react"
import Link from "next/link"
import { useAppActions } from "../../../shell/app-actions.tsx"
import { ConnectionChip } from "../../../shell/connection-chip.tsx"
import { PageHeader } from "../../../shell/page-header.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { Words } from "../../../ui/words.tsx"
import { Viewers } from "../../presence/viewers.tsx"
import styles from "../review-page.module.css"
import { ReviewProgress } from "../task/task-tree.tsx"
import type { Desk } from "./use-desk.ts"

interface DeskHeaderProps {
  desk: Desk
  replay: { at: number | null; start(): void }
}

/** Which session is reviewed, and how far that is; over a replay, which task is replayed. */
export function DeskHeader({ desk, replay }: DeskHeaderProps) {
  const { openHelp } = useAppActions()
  const { row } = desk
  const root = desk.store.get().tree?.sessions[desk.rootID]
  return (
    <PageHeader
      actions={
        <>
          <Viewers store={desk.store} />
          <ReviewProgress rows={desk.rows} />
          <IconButton label="Replay" onClick={replay.start}>
            <History size={15} />
          </IconButton>
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
        {replay.at === null || row === null ? null : (
          <>
            <ChevronRight size={12} aria-hidden />
            <h1 className={styles.replayed}>
              {row.task === null ? "" : `#${row.task.number} `}
              <Words text={row.title || "Untitled"} />
            </h1>
          </>
        )}
      </nav>
      <ConnectionChip store={desk.store} />
    </PageHeader>
  )
}
