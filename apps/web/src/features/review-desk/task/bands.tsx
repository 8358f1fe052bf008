"use client"

import type { TaskSummary } from "@docket/core/schema"
import { CircleAlert, History, Hourglass, Sparkles } from "lucide-react"
import { Can, useMe } from "../../../shell/me.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { LinkButton } from "../../../ui/link-button.tsx"
import type { Desk } from "../desk/use-desk.ts"
import type { GoInDesk } from "../desk/use-desk-place.ts"
import styles from "../review-page.module.css"
import { newsOf, type TaskNews } from "./news-of.ts"
import type { ReviewRow } from "./review-rows.ts"

/** The band of a finished task that waits for approval. */
export function HeldBand({ task }: { task: TaskSummary | null }) {
  const { can } = useMe()
  if (task?.state !== "awaiting_review") return null
  const who = can("judge") ? "you have approved" : "a reviewer has approved"
  return (
    <p className={styles.band} data-kind="held">
      <Hourglass size={14} aria-hidden />
      <span>
        <strong>The parent waits for this review.</strong>{" "}
        {task.mode === "blocking"
          ? `It goes on once ${who} or rejected what this task did.`
          : `The task ends once ${who} or rejected what it did.`}
        <Can do="prompt"> When you send it comments, it works on.</Can>
      </span>
    </p>
  )
}

/** The band for verdicts that could not be loaded. The tasks themselves are shown. */
export function UnreadBand({ error, retry }: { error: { message: string } | null; retry(): void }) {
  if (error === null) return null
  return (
    <p className={styles.band} data-kind="failed" role="alert">
      <CircleAlert size={14} aria-hidden />
      <span>
        Verdicts cannot be shown: {error.message} <LinkButton onClick={retry}>Try again</LinkButton>
      </span>
    </p>
  )
}

/** The band of an earlier attempt, which cannot be judged any more. */
export function AttemptBand({ row, task, go }: { row: ReviewRow; task: TaskSummary | null; go: GoInDesk }) {
  const newest = row.task
  if (task === null || newest === null || task.id === newest.id) return null
  return (
    <p className={styles.band} data-kind="note">
      <History size={14} aria-hidden />
      <span>
        This is an earlier attempt. The child went on as task #{newest.number}, and that is what is judged.{" "}
        <LinkButton onClick={() => go({ task: newest.id })}>Go to the newest</LinkButton>
      </span>
    </p>
  )
}

interface NewsBandProps {
  desk: Desk
  /** Shows what came after a part. */
  onOpenAfter(sessionID: string, partID: string): void
}

/** The band about new parts since the user judged or viewed the task, with a link to them. */
export function NewsBand({ desk: { row }, onOpenAfter }: NewsBandProps) {
  const news = row === null ? null : newsOf(row.review)
  if (row === null || news === null) return null
  const { partID } = news
  return (
    <p className={styles.band} data-kind={news.kind}>
      {news.kind === "stale" ? <History size={14} aria-hidden /> : <Sparkles size={14} aria-hidden />}
      <span>
        {newsLabel(news)}{" "}
        {partID === null || news.newParts === 0 ? null : (
          <LinkButton onClick={() => onOpenAfter(row.sessionID, partID)}>Jump to where they begin</LinkButton>
        )}
      </span>
    </p>
  )
}

function newsLabel({ kind, newParts, changed }: TaskNews): string {
  const parts = formatCount(newParts, "new part")
  if (kind === "new") return newParts > 0 ? `${parts} since you looked.` : "Its files were changed since you looked."
  if (newParts > 0) return `Verdicts are stale since ${parts}.`
  return `Verdicts are stale since its files were changed${changed ? " by somebody" : ""}.`
}
