"use client"

import type { ToolPart } from "@docket/core/schema"
import { DiffPreview } from "../../tools/diff-preview.tsx"
import { OpenFiles } from "../../tools/open-files.tsx"
import { ownFileAddress, returnedFiles } from "../../tools/shown-file.ts"
import { ToolBodyView } from "../../tools/tool-body.tsx"
import { ToolHeader } from "../../tools/tool-header.tsx"
import { toolView } from "../../tools/tool-view.ts"
import styles from "../../tools/tools.module.css"
import { appSlots } from "./app-slots.tsx"
import { previewLines, shownOf } from "./shown-of.ts"
import { TaskCard } from "./task-card.tsx"
import { useTranscriptActions } from "./transcript-actions.ts"

interface ToolRowProps {
  part: ToolPart
  /** The reader's own choice; undefined follows the tool's default. */
  open: boolean | undefined
  /** A permission request is open for this call or in its child session. */
  waiting: boolean
}

/**
 * One tool call: a 28 px header, and the body when open; a change shows its first lines. Tasks are a card of fixed
 * height.
 */
export function ToolRow({ part, open, waiting }: ToolRowProps) {
  const { setOpen } = useTranscriptActions()
  const view = toolView(part, waiting)
  if (view.body.kind === "task") return <TaskCard part={part} task={view.body.task} waiting={waiting} />
  const hasBody = view.error !== null || view.body.kind !== "none" || view.notes.length > 0
  const { shown, next } = shownOf(view, open)
  const body = `${part.id}-body`
  return (
    <div className={styles.card} data-open={shown === "all"} data-status={view.status} data-part={part.id}>
      <button
        type="button"
        className={styles.header}
        aria-expanded={hasBody ? shown === "all" : undefined}
        aria-controls={shown === "none" ? undefined : body}
        disabled={!hasBody}
        onClick={() => setOpen(part.id, next)}
      >
        <ToolHeader view={view} />
      </button>
      <div className={styles.returned}>
        <OpenFiles files={returnedFiles(part, ownFileAddress)} />
      </div>
      {shown === "all" ? (
        <div id={body} className={styles.body}>
          <ToolBodyView view={view} slots={appSlots} />
        </div>
      ) : null}
      {shown === "head" && view.body.kind === "diff" ? (
        <div id={body} className={styles.preview}>
          <DiffPreview patch={view.body.change.patch ?? ""} limit={previewLines} />
        </div>
      ) : null}
    </div>
  )
}
