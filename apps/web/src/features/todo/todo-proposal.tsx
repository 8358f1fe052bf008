"use client"

import type { TaskSummary, Todo } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { Can } from "../../shell/me.tsx"
import { LinkButton } from "../../ui/link-button.tsx"
import styles from "./todo-board.module.css"
import type { TodoActions } from "./use-todo-edits.ts"

interface TodoProposalProps {
  todo: Todo
  actions: TodoActions
  /** The task that proposes it, if known. */
  task: TaskSummary | null
  onOpenSession?: ((sessionID: string) => void) | undefined
}

/** A task for this item has ended: a user or the agent decides whether the item is done. */
export function TodoProposal({ todo, actions, task, onOpenSession }: TodoProposalProps) {
  return (
    <div className={styles.proposal}>
      <p>
        {task === null ? (
          "The task that served it has ended."
        ) : (
          <>
            <LinkButton onClick={() => onOpenSession?.(task.sessionID)}>{task.description}</LinkButton> has ended.
          </>
        )}
      </p>
      <Can do="todo.edit">
        <span className={styles.proposalActions}>
          <Button variant="filled" onClick={() => actions.update(todo, { status: "completed" })}>
            Accept
          </Button>
          <Button onClick={() => actions.update(todo, { proposed: null })}>Dismiss</Button>
        </span>
      </Can>
    </div>
  )
}
