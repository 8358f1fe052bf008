"use client"

import { Button } from "@mantine/core"
import type { MouseEvent } from "react"
import { formatCount } from "../../../ui/format-count.ts"
import { useKeys } from "../../keyboard/use-keys.ts"
import styles from "../ask-card.module.css"
import type { PlanDecision } from "./use-plan-decision.ts"

interface PlanActionsProps {
  decision: PlanDecision
  /** The plan is loaded and shown: nobody can decide on a plan before that. */
  isRead: boolean
  onComment(): void
  /** Null when there is nothing to edit. */
  onEdit: (() => void) | null
}

/** The answers to a plan. With comments it is sent back, otherwise it is approved. */
export function PlanActions({ decision, isRead, onComment, onEdit }: PlanActionsProps) {
  const { comments, approve, sendBack } = decision
  const pending = decision.pending || !isRead
  const go = comments.length > 0 ? sendBack : () => approve("Approve")
  useKeys({
    "Alt+KeyY": (event) => {
      event.preventDefault()
      // A key held down must answer only one request.
      if (!event.repeat && !pending) go()
    },
  })
  // Ignores the second press of a double click, which would answer the next request.
  const onFirst = (act: () => void) => (event: MouseEvent) => {
    if (event.detail < 2) act()
  }
  return (
    <div className={styles.actions}>
      <Button variant="filled" aria-keyshortcuts="Alt+Y" disabled={pending} onClick={onFirst(go)}>
        {comments.length > 0 ? `Back with ${formatCount(comments.length, "comment")}` : "Approve"}
      </Button>
      {comments.length > 0 ? null : (
        <Button disabled={pending} onClick={onFirst(() => approve("Approve and edit freely"))}>
          Approve and edit freely
        </Button>
      )}
      {/* A press must not remove the selection that the comment is about. */}
      <Button disabled={pending} onMouseDown={(event) => event.preventDefault()} onClick={onComment}>
        Comment
      </Button>
      {onEdit === null ? null : (
        <Button disabled={pending} onClick={onEdit}>
          Edit
        </Button>
      )}
      <Button
        variant="subtle"
        color="gray"
        aria-keyshortcuts="Alt+N"
        disabled={pending}
        onClick={onFirst(decision.close)}
      >
        Stay in plan mode
      </Button>
      {decision.error ? (
        <p role="alert" className={styles.problem}>
          {decision.error.message}
        </p>
      ) : null}
    </div>
  )
}
