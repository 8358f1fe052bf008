"use client"

import type { ReasoningPart } from "@docket/core/schema"
import { ChevronRight } from "lucide-react"
import { Elapsed } from "../../../ui/elapsed.tsx"
import { LongMarkdown } from "../../tools/long-markdown.tsx"
import styles from "./rows.module.css"
import { thoughtFor } from "./thought-for.ts"
import { useTranscriptActions } from "./transcript-actions.ts"

interface ReasoningRowProps {
  part: ReasoningPart
  streaming: boolean
  open: boolean
}

/** The model's reasoning: one line with its duration, which opens to the text. */
export function ReasoningRow({ part, streaming, open }: ReasoningRowProps) {
  const { setOpen } = useTranscriptActions()
  const body = `${part.id}-body`
  return (
    <div className={styles.reasoning}>
      <button
        type="button"
        className={styles.reasoningHead}
        aria-expanded={open}
        aria-controls={body}
        onClick={() => setOpen(part.id, !open)}
      >
        <ChevronRight size={13} aria-hidden className={styles.chevron} data-open={open} />
        {part.time.end === null && streaming ? (
          <>
            Thinking <Elapsed start={part.time.start} end={null} />
          </>
        ) : (
          thoughtFor(part)
        )}
      </button>
      {open ? (
        <div id={body} className={styles.reasoningBody} data-part={part.id}>
          <LongMarkdown text={part.text} noun="reasoning" streaming={streaming} />
        </div>
      ) : null}
    </div>
  )
}
