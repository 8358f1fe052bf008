"use client"

import type { Todo } from "@docket/core/schema"
import { Button } from "@mantine/core"
import styles from "./todo-board.module.css"
import type { TodoActions } from "./use-todo-edits.ts"

/** A task that served the item has ended: a person or the agent says whether it is done. */
export function TodoProposal({ todo, actions }: { todo: Todo; actions: TodoActions }) {
  return (
    <div className={styles.proposal}>
      <span>Its task has ended. Done?</span>
      <Button variant="filled" onClick={() => actions.update(todo, { status: "completed" })}>
        Accept
      </Button>
      <Button onClick={() => actions.update(todo, { proposed: null })}>Dismiss</Button>
    </div>
  )
}
