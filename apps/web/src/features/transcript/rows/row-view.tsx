"use client"

import { commandsOf, noticeOf } from "@docket/core/message"
import type { SessionStatus } from "@docket/core/schema"
import { memo, useContext } from "react"
import { Elapsed } from "../../../ui/elapsed.tsx"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import { LongMarkdown } from "../../tools/long-markdown.tsx"
import { answerLines } from "../../tools/shown-lines.ts"
import { ForkButton } from "../../undo/fork-button.tsx"
import { UndoButton } from "../../undo/undo-button.tsx"
import { ErrorRow } from "./error-row.tsx"
import { FileChip } from "./file-chip.tsx"
import { FoldRow } from "./fold-row.tsx"
import { InlineCommandResults } from "./inline-command-results.tsx"
import { MetaRow } from "./meta-row.tsx"
import { PromptRow } from "./prompt-row.tsx"
import { ReasoningRow } from "./reasoning-row.tsx"
import { RetryRow } from "./retry-row.tsx"
import type { Row } from "./row.ts"
import styles from "./rows.module.css"
import { TaskLanes } from "./task-lanes.tsx"
import { ToolRow } from "./tool-row.tsx"
import { useTranscriptActions } from "./transcript-actions.ts"
import { TurnNoteContext } from "./turn-note.ts"

export interface RowViewProps {
  row: Row
  /** The reader's own choice; undefined follows the row's default. */
  open: boolean | undefined
  waiting: boolean
  /** Passed only to rows that show it, so that other rows do not render again. */
  status: SessionStatus | null
}

/** The content of one row. It renders again only when the row object changes; the row is as stable as its part. */
export const RowView = memo(function RowView({ row, open, waiting, status }: RowViewProps) {
  switch (row.kind) {
    case "prompt":
      return <PromptRow row={row} open={open ?? false} />
    case "part":
      return <PartRow row={row} open={open} waiting={waiting} />
    case "lanes":
      return <TaskLanes row={row} />
    case "fold":
      return <FoldRow row={row} />
    case "compaction":
      return <p className={styles.divider}>Summary of the earlier messages</p>
    case "retry":
      return <RetryRow row={row} status={status ?? { type: "busy" }} />
    case "error":
      return <ErrorRow message={row.message} error={row.error} last={row.last} />
    case "meta":
      return <MetaRow message={row.message} totals={row.totals} end={<TurnEnd row={row} />} />
    case "waiting":
      return (
        <p className={styles.waiting}>
          <span className={styles.pulse} aria-hidden />
          {row.agent} is working <Elapsed start={row.since} end={null} />
        </p>
      )
  }
})

function TurnEnd({ row: { message, prompt } }: { row: Extract<Row, { kind: "meta" }> }) {
  const note = useContext(TurnNoteContext)
  return (
    <>
      {note?.(message.parentID)}
      <TurnActions prompt={prompt} />
    </>
  )
}

/**
 * Undo and fork for the turn. The prompt has the same undo, but it is off the screen when the reader is at the end of the
 * turn.
 */
function TurnActions({ prompt }: Pick<Extract<Row, { kind: "meta" }>, "prompt">) {
  const { undo, fork } = useTranscriptActions()
  if (prompt === null) return null
  return (
    <>
      {undo && <UndoButton label="Undo from this turn on" inLine onUndo={() => undo(prompt.info.id, prompt.parts)} />}
      {fork && <ForkButton onFork={() => fork(prompt.info.id)} />}
    </>
  )
}

function PartRow({
  row,
  open,
  waiting,
}: {
  row: Extract<Row, { kind: "part" }>
  open: boolean | undefined
  waiting: boolean
}) {
  const { part } = row
  const { setOpen } = useTranscriptActions()
  switch (part.type) {
    case "text": {
      const commands = commandsOf(part)
      if (commands !== null && commands.results.length > 0) {
        return <InlineCommandResults results={commands.results} markdown={toMarkdown} />
      }
      if (noticeOf(part)?.kind === "window") {
        return (
          <p className={styles.stopped}>
            <span>{part.text}</span>
          </p>
        )
      }
      return (
        <div className={styles.text} data-part={part.id}>
          <LongMarkdown
            text={part.text}
            noun="answer"
            streaming={row.streaming}
            shown={answerLines}
            open={open ?? false}
            onOpen={(shown) => setOpen(part.id, shown)}
          />
        </div>
      )
    }
    case "reasoning":
      return <ReasoningRow part={part} streaming={row.streaming} open={open ?? false} />
    case "tool":
      return <ToolRow part={part} open={open} waiting={waiting} />
    case "file":
      return <FileChip part={part} />
    case "subtask":
      return (
        <span className={styles.chip}>
          <TextWithCode text={part.description} /> · @{part.agent}
        </span>
      )
    default:
      return null
  }
}

const toMarkdown = (text: string) => <LongMarkdown text={text} noun="result" />
