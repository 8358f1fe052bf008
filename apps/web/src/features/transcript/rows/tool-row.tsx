"use client"

import type { ToolPart } from "@docket/core/schema"
import { ToolBodyView } from "../../tools/tool-body.tsx"
import { ToolHeader } from "../../tools/tool-header.tsx"
import { toolView } from "../../tools/tool-view.ts"
import styles from "../../tools/tools.module.css"
import { appSlots } from "./app-slots.tsx"
import { TaskCard } from "./task-card.tsx"
import { useTranscriptActions } from "./transcript-actions.ts"

interface ToolRowProps {
  part: ToolPart
  /** The reader's own choice; undefined follows the tool's default. */
  open: boolean | undefined
  /** A permission request for this call, or in the child it runs, is open. */
  waiting: boolean
}

/** One tool call: a 28 px header, and the body when opened. Tasks are a card of fixed height. */
export function ToolRow({ part, open, waiting }: ToolRowProps) {
  const { setOpen } = useTranscriptActions()
  const view = toolView(part, waiting)
  if (view.body.kind === "task") return <TaskCard part={part} task={view.body.task} waiting={waiting} />
  const hasBody = view.error !== null || view.body.kind !== "none"
  const shown = hasBody && (open ?? view.open)
  const body = `${part.id}-body`
  return (
    <div className={styles.card} data-open={shown} data-status={view.status}>
      <button
        type="button"
        className={styles.header}
        aria-expanded={hasBody ? shown : undefined}
        aria-controls={shown ? body : undefined}
        disabled={!hasBody}
        onClick={() => setOpen(part.id, !shown)}
      >
        <ToolHeader view={view} />
      </button>
      {shown ? (
        <div id={body} className={styles.body}>
          <ToolBodyView view={view} slots={appSlots} />
        </div>
      ) : null}
    </div>
  )
}
