"use client"

import { taskTimes } from "@docket/core/task-times"
import { totalTokens } from "@docket/core/usage"
import { CostTokens } from "../../../ui/cost-tokens.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { statusLabel } from "../../../ui/status.ts"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import { CommentCount } from "../../commenting/comment-count.tsx"
import { ViewerMarks } from "../../presence/viewer-marks.tsx"
import { VerdictGlyph } from "../../review/verdict-glyph.tsx"
import { reviewStatusLabel } from "../../review/verdict-labels.ts"
import { TaskClock } from "../../task/task-clock.tsx"
import { SessionTree } from "../../tree/session-tree.tsx"
import type { ReviewRow, ReviewRows, reviewedCount } from "./review-rows.ts"
import styles from "./task-tree.module.css"

interface TaskTreeProps {
  rootID: string
  rows: ReviewRows
  /** The shown session. */
  current: string | null
  onOpen(row: ReviewRow): void
}

/** The list of all delegated tasks, with status and review. */
export function TaskTree({ rootID, rows, current, onOpen }: TaskTreeProps) {
  return (
    <SessionTree
      label="Tasks to review"
      rootID={rootID}
      nodes={rows}
      current={current}
      onOpen={(_, row) => onOpen(row)}
      spokenName={spokenName}
      isHeld={isHeld}
      before={(row) => (row.task === null ? null : <VerdictGlyph status={row.review.mark} />)}
      after={(row, sessionID) => (
        <>
          <ViewerMarks sessionID={sessionID} />
          <CommentCount id={sessionID} />
          {row.status === null ? null : <StatusGlyph status={row.status} size={13} />}
        </>
      )}
      detail={(row) =>
        isHeld(row) ? <span className={styles.held}>Its parent waits for this review</span> : <RowFigures row={row} />
      }
    />
  )
}

function isHeld({ task }: ReviewRow): boolean {
  return task?.state === "awaiting_review"
}

/** "4 of 9 reviewed", as text and as a bar. */
export function ReviewProgress({ reviewed, total }: ReturnType<typeof reviewedCount>) {
  if (total === 0) return null
  return (
    <p className={styles.progress}>
      <span>
        {reviewed} of {total} reviewed
      </span>
      <progress className={styles.bar} value={reviewed} max={total} aria-label="Tasks reviewed" />
    </p>
  )
}

function RowFigures({ row: { task, agent, attempts, review } }: { row: ReviewRow }) {
  if (task === null) return <span className={styles.agent}>@{agent}</span>
  const newParts = review.viewed?.newParts ?? 0
  // A row has space either for the usage or for attempts and new parts.
  const isPlain = attempts.length === 1 && newParts === 0
  return (
    <>
      <span>#{task.number}</span>
      <span className={styles.agent}>@{agent}</span>
      {attempts.length > 1 ? <span>{formatCount(attempts.length, "attempt")}</span> : null}
      {newParts > 0 ? <span className={styles.news}>{newParts} new</span> : null}
      <span className={styles.figures}>
        {task.time.started === null ? null : <TaskClock times={taskTimes(task)} short />}
        {isPlain ? <CostTokens cost={task.usage.cost} tokens={totalTokens(task.usage.tokens)} /> : null}
      </span>
    </>
  )
}

function spokenName(row: ReviewRow): string {
  const status = row.status === null ? [] : [statusLabel[row.status]]
  return [
    row.title || "Untitled",
    row.agent,
    ...(row.task === null ? [] : [reviewStatusLabel[row.review.mark]]),
    ...status,
  ].join(", ")
}
