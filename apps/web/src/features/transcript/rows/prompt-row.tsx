"use client"

import type { Part, TextPart } from "@docket/core/schema"
import { AtSign, FileText, GitBranch } from "lucide-react"
import { Words } from "../../../ui/words.tsx"
import { Markdown } from "../../markdown/markdown.tsx"
import { UndoButton } from "../../undo/undo-button.tsx"
import { fileLabel } from "./file-label.ts"
import { NoticeView } from "./notice.tsx"
import { promptHeading } from "./prompt-heading.ts"
import type { Row } from "./row.ts"
import styles from "./rows.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"

/** What a person asked for. Its heading starts the turn. */
export function PromptRow({ row }: { row: Extract<Row, { kind: "prompt" }> }) {
  const { undo, isChild } = useTranscriptActions()
  return (
    <div className={styles.prompt} data-synthetic={row.synthetic}>
      <h2 className="visually-hidden">{promptHeading(row)}</h2>
      {isChild && !row.synthetic && row.message.by === undefined ? (
        <p className={styles.synthetic}>From the session above</p>
      ) : null}
      {undo === null || row.synthetic ? null : <UndoButton onUndo={() => undo(row.message.id, row.parts)} />}
      {row.parts.map((part) =>
        part.type === "text" && part.synthetic === true ? (
          <DocketNotice key={part.id} part={part} />
        ) : (
          <PromptPart key={part.id} part={part} />
        ),
      )}
    </div>
  )
}

function DocketNotice({ part }: { part: TextPart }) {
  const { openSession } = useTranscriptActions()
  return <NoticeView part={part} markdown={toMarkdown} onOpenSession={openSession} />
}

const toMarkdown = (text: string) => <Markdown text={text} streaming={false} />

function PromptPart({ part }: { part: Part }) {
  switch (part.type) {
    case "text":
      return <Markdown text={part.text} streaming={false} />
    case "file":
      return (
        <span className={styles.chip}>
          <FileText size={13} aria-hidden />
          {fileLabel(part)}
          {part.problem === undefined ? null : <span> · not sent: {part.problem}</span>}
        </span>
      )
    case "agent":
      return (
        <span className={styles.chip}>
          <AtSign size={13} aria-hidden />
          {part.name}
        </span>
      )
    case "subtask":
      return (
        <span className={styles.chip}>
          <GitBranch size={13} aria-hidden />
          <Words text={part.description} /> · @{part.agent}
        </span>
      )
    default:
      return null
  }
}
