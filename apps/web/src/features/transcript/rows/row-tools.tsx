"use client"

import { formatUsage } from "@docket/core/usage"
import { Link2, Undo2 } from "lucide-react"
import { memo, useRef } from "react"
import { CopyButton } from "../../../shell/copy-button.tsx"
import { formatClock, formatDateTime } from "../../../ui/format.ts"
import { IconButton } from "../../../ui/icon-button.tsx"
import { linkedPart, type Row, stepPart } from "./row.ts"
import { RowComments } from "./row-comments.tsx"
import { answerText, linkedThing, rowTime, sessionOf } from "./row-facts.ts"
import styles from "./rows.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"
import { useServed } from "./use-served.ts"

/**
 * Details beside a row on hover: time of day, usage of its step, its todos, and buttons to copy its text and link.
 * Without a margin the time takes the place of the link icon.
 */
export const RowTools = memo(function RowTools({ row }: { row: Row }) {
  const { addressOf } = useTranscriptActions()
  const part = linkedPart(row)
  const time = rowTime(row)
  const answer = answerText(row)
  const step = row.kind === "part" && row.step !== null ? formatUsage(row.step.tokens, row.step.cost) : ""
  const when = time === null ? [] : [formatDateTime(time)]
  const figures = useRef<HTMLParagraphElement>(null)
  const served = useServed(figures, sessionOf(row), time)
  const todo = served === "" ? [] : [`for “${served}”`]
  return (
    <>
      {time === null && step === "" ? null : (
        <p ref={figures} className={styles.figures}>
          {time === null ? null : (
            <time dateTime={new Date(time).toISOString()} title={when[0]}>
              {formatClock(time)}
            </time>
          )}
          {step === "" ? null : <span className={styles.step}>{step}</span>}
          {served === "" ? null : (
            <span className={styles.served} title={served}>
              {todo[0]}
            </span>
          )}
        </p>
      )}
      <RowComments row={row} />
      <UndoStep row={row} />
      {answer === null ? null : <CopyButton text={answer} what="this answer" className={styles.copyText} />}
      {part === null ? null : (
        <CopyButton
          text={addressOf(part)}
          what={`the link to ${linkedThing(row)}`}
          hint={[...when, ...(step === "" ? [] : [step]), ...todo].join(" · ")}
          className={styles.copy}
          icon={<Link2 size={13} aria-hidden />}
        />
      )}
    </>
  )
})

/** Undo for the step that begins with the row. The first step of a turn is undone with its prompt. */
function UndoStep({ row }: { row: Row }) {
  const { undoStep } = useTranscriptActions()
  const part = stepPart(row)
  if (undoStep === null || part === null) return null
  return (
    <IconButton
      label="Undo from this step on"
      data-aside
      className={styles.undoStep ?? ""}
      variant="subtle"
      color="gray"
      size={24}
      onClick={() => undoStep(part)}
    >
      <Undo2 size={13} aria-hidden />
    </IconButton>
  )
}
