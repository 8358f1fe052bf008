"use client"

import { Link2 } from "lucide-react"
import { memo } from "react"
import { CopyButton } from "../../../shell/copy-button.tsx"
import { formatClock } from "../../../ui/format.ts"
import { linkedPart, type Row } from "./row.ts"
import { answerText, linkedThing, rowTime } from "./row-facts.ts"
import styles from "./rows.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"

/** What stands beside a row when it is pointed at: its time of day, its text and its address to copy. */
export const RowTools = memo(function RowTools({ row }: { row: Row }) {
  const { addressOf } = useTranscriptActions()
  const part = linkedPart(row)
  const time = rowTime(row)
  const answer = answerText(row)
  return (
    <>
      {time === null ? null : (
        <time className={styles.time} dateTime={new Date(time).toISOString()} title={new Date(time).toLocaleString()}>
          {formatClock(time)}
        </time>
      )}
      {answer === null ? null : <CopyButton text={answer} what="this answer" className={styles.copyText} />}
      {part === null ? null : (
        <CopyButton
          text={addressOf(part)}
          what={`the link to ${linkedThing(row)}`}
          className={styles.copy}
          icon={<Link2 size={13} aria-hidden />}
        />
      )}
    </>
  )
})
