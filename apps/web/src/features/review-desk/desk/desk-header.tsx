"use client"

import { shortTitle } from "@docket/core/session-title"
import { ChevronRight, CircleHelp, History } from "lucide-react"
import Link from "next/link"
import { useAppActions } from "../../../shell/app-actions.tsx"
import { ConnectionChip } from "../../../shell/connection-chip.tsx"
import { PageHeader } from "../../../shell/page-header.tsx"
import { IconButton } from "../../../ui/icon-button.tsx"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import { Viewers } from "../../presence/viewers.tsx"
import styles from "../review-page.module.css"
import { reviewedCount } from "../task/review-rows.ts"
import { ReviewProgress } from "../task/task-tree.tsx"
import type { Desk } from "./use-desk.ts"

/** The header's data before the tree is loaded. */
export interface SentHeader {
  title: string
  reviewed: number
  total: number
}

interface DeskHeaderProps {
  desk: Desk
  /** The data that was sent with the page. */
  sent: SentHeader | null
  replay: { at: number | null; start(): void }
}

/** The reviewed session and the review progress; during a replay, the replayed task. */
export function DeskHeader({ desk, sent, replay }: DeskHeaderProps) {
  const { openHelp } = useAppActions()
  const { row } = desk
  const root = desk.loaded ? desk.store.get().tree?.sessions[desk.rootID] : undefined
  const title = root === undefined ? (sent?.title ?? "Session") : shortTitle(root)
  return (
    <PageHeader
      actions={
        <>
          <Viewers store={desk.store} />
          {replay.at === null ? (
            <ReviewProgress {...(row === null && sent !== null ? sent : reviewedCount(desk.rows))} />
          ) : null}
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
        <Link href={`/s/${desk.rootID}`}>{title}</Link>
        <ChevronRight size={12} aria-hidden />
        <span>Review</span>
        {replay.at === null || row === null ? null : (
          <>
            <ChevronRight size={12} aria-hidden />
            <h1 className={styles.replayed} data-whole={row.task === null}>
              {/* The session itself is named at the start of this line. */}
              {row.task === null ? "Replay" : <ReplayedTask number={row.task.number} title={row.title} />}
            </h1>
          </>
        )}
      </nav>
      <ConnectionChip store={desk.store} />
    </PageHeader>
  )
}

function ReplayedTask({ number, title }: { number: number; title: string }) {
  return (
    <>
      {`#${number} `}
      <TextWithCode text={title || "Untitled"} />
    </>
  )
}
