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
  isShown: boolean
  onComment(): void
  /** Null when there is nothing to edit. */
  onEdit: (() => void) | null
}

/** The answers to a plan. With comments it is sent back, otherwise it is approved. */
export function PlanActions({ decision, isShown, onComment, onEdit }: PlanActionsProps) {
  const { comments, approve, sendBack } = decision
  const isLocked = decision.pending || !isShown
  const go = comments.length > 0 ? sendBack : () => approve("Approve")
  useKeys({
    "Alt+KeyY": (event) => {
      event.preventDefault()
      // A key held down must answer only one request.
      if (!event.repeat && !isLocked) go()
    },
  })
  // Ignores the second press of a double click, which would answer the next request.
  const onFirst = (act: () => void) => (event: MouseEvent) => {
    if (event.detail < 2) act()
  }
  return (
    <div className={styles.actions}>
      <Button variant="filled" aria-keyshortcuts="Alt+Y" disabled={isLocked} onClick={onFirst(go)}>
        {comments.length > 0 ? `Send back with ${formatCount(comments.length, "comment")}` : "Approve"}
      </Button>
      {comments.length > 0 ? null : (
        <Button disabled={isLocked} onClick={onFirst(() => approve("Approve and edit freely"))}>
          Approve and edit freely
        </Button>
      )}
      {/* A press must not remove the selection that the comment is about. */}
      <Button disabled={isLocked} onMouseDown={(event) => event.preventDefault()} onClick={onComment}>
        Comment
      </Button>
      {onEdit === null ? null : (
        <Button disabled={isLocked} onClick={onEdit}>
          Edit
        </Button>
      )}
      {/* The card binds Alt+N. */}
      <Button
        variant="subtle"
        color="gray"
        aria-keyshortcuts="Alt+N"
        disabled={isLocked}
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
