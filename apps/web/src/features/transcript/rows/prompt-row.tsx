"use client"

import type { Caller, Part, TextPart } from "@docket/core/schema"
import { AtSign, GitBranch } from "lucide-react"
import { Initials, PersonName } from "../../../ui/person.tsx"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import { usePeople } from "../../../ui/use-people.ts"
import { LongMarkdown } from "../../tools/long-markdown.tsx"
import { UndoButton } from "../../undo/undo-button.tsx"
import { changedBy } from "./changed-by.ts"
import { FileChip } from "./file-chip.tsx"
import { NoticeView } from "./notice.tsx"
import { promptHeading } from "./prompt-heading.ts"
import type { Row } from "./row.ts"
import styles from "./rows.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"

interface PromptRowProps {
  row: Extract<Row, { kind: "prompt" }>
  /** Whether a long text is shown in full. */
  open: boolean
}

/** A user's prompt. Its heading starts the turn. */
export function PromptRow({ row, open }: PromptRowProps) {
  const { undo, isChild, setOpen } = useTranscriptActions()
  return (
    <div className={styles.prompt} data-synthetic={row.synthetic}>
      <h2 className="visually-hidden">{promptHeading(row)}</h2>
      {isChild && !row.synthetic && row.message.by === undefined ? (
        <p className={styles.origin}>From the session above</p>
      ) : null}
      {row.synthetic ? null : <Author by={row.message.by} />}
      {changedBy(row.message.changed ?? []).map((text) => (
        <p key={text} className={styles.origin}>
          {text}
        </p>
      ))}
      {undo === null || row.synthetic ? null : <UndoButton onUndo={() => undo(row.message.id, row.parts)} />}
      {row.parts.map((part) =>
        part.type === "text" && part.synthetic === true ? (
          <DocketNotice key={part.id} part={part} />
        ) : (
          <PromptPart key={part.id} part={part} open={open} onOpen={(shown) => setOpen(row.key, shown)} />
        ),
      )}
    </div>
  )
}

/** The author, if not the reader. Without accounts, a prompt with no name is the reader's own, also in a saved file. */
function Author({ by }: { by: Caller | undefined }) {
  const { me, alone: hasNoAccounts } = usePeople()
  if (by === undefined || me === null) return null
  const isReader = by.person === me || (hasNoAccounts && by.name === undefined)
  if (isReader) return null
  return (
    <p className={styles.author}>
      <Initials person={by} />
      <PersonName person={by} />
    </p>
  )
}

function DocketNotice({ part }: { part: TextPart }) {
  const { openSession } = useTranscriptActions()
  return <NoticeView part={part} markdown={toMarkdown} onOpenSession={openSession} />
}

const toMarkdown = (text: string) => <LongMarkdown text={text} noun="note" />

interface PromptPartProps {
  part: Part
  open: boolean
  onOpen: (open: boolean) => void
}

function PromptPart({ part, open, onOpen }: PromptPartProps) {
  switch (part.type) {
    case "text":
      return (
        <div data-part={part.id}>
          <LongMarkdown text={part.text} noun="prompt" open={open} onOpen={onOpen} />
        </div>
      )
    case "file":
      return <FileChip part={part} />
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
          <TextWithCode text={part.description} /> · @{part.agent}
        </span>
      )
    default:
      return null
  }
}
