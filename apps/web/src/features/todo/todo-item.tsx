"use client"

import type { TaskSummary, Todo } from "@docket/core/schema"
import { Lock } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { todoStatusLabel } from "./checklist-item.ts"
import { PlanLink } from "./plan-link.tsx"
import styles from "./todo-board.module.css"
import { TodoGlyph } from "./todo-glyph.tsx"
import { Priority } from "./todo-list.tsx"
import { TodoMenu } from "./todo-menu.tsx"
import { TodoProposal } from "./todo-proposal.tsx"
import type { TodoActions } from "./use-todo-edits.ts"

const todoEditor = laterPart(() => import("./todo-editor.tsx").then((it) => it.TodoEditor))

export interface TodoItemProps {
  todo: Todo
  actions: TodoActions
  /** Open items on which this one depends. */
  blockers: readonly Todo[]
  /** Its position in the list; null where it cannot be moved. */
  place: { index: number; count: number } | null
  /** The task that proposes the item as done, if known. */
  proposer?: TaskSummary | null
  onOpenSession?: (sessionID: string) => void
  /** Shown before the item, for example a drag handle. */
  handle?: ReactNode
  /** Content of the expanded item: description, evidence. */
  details?: (todo: Todo) => ReactNode
}

/** One item that users can tick, expand, edit and move. */
export function TodoItem(props: TodoItemProps) {
  const { todo, actions } = props
  const [open, setOpen] = useState(false)
  const [timesClosed, setTimesClosed] = useState(0)
  const mayEdit = useMe().can("todo.edit")
  return (
    <OnDemand
      // When the editor closes or the user loses the right to edit, the row is shown again.
      key={`${timesClosed} ${mayEdit}`}
      part={todoEditor}
      face={(edit) => <TodoRow {...props} mayEdit={mayEdit} open={open} onOpen={setOpen} onEdit={edit} />}
    >
      {(TodoEditor) => (
        <TodoEditor
          todo={todo}
          onSave={(patch) => actions.update(todo, patch)}
          onClose={() => setTimesClosed(timesClosed + 1)}
        />
      )}
    </OnDemand>
  )
}

interface TodoRowProps extends TodoItemProps {
  mayEdit: boolean
  open: boolean
  onOpen(open: boolean): void
  onEdit(): void
}

/** The read-only view of the item, shown until its editor is loaded. */
function TodoRow({ mayEdit, open, onOpen, onEdit, ...props }: TodoRowProps) {
  const { todo, actions, place } = props
  // The server has not answered yet: a number is given there.
  const isNew = todo.number === 0
  const done = todo.status === "completed"
  return (
    <>
      <div className={styles.row} data-status={todo.status}>
        {props.handle}
        {/* biome-ignore lint/a11y/useSemanticElements: four states with shapes of their own */}
        <button
          type="button"
          role="checkbox"
          aria-checked={done ? true : todo.status === "in_progress" ? "mixed" : false}
          aria-label={`${todo.content}, ${todoStatusLabel[todo.status]}`}
          className={styles.tick}
          disabled={isNew || !mayEdit}
          onClick={() => actions.update(todo, { status: done ? "pending" : "completed" })}
        >
          <TodoGlyph status={todo.status} />
        </button>
        <button
          type="button"
          className={styles.content}
          aria-expanded={open}
          onClick={() => onOpen(!open)}
          onKeyDown={(event) => {
            const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
            const isMove = event.altKey && by !== 0 && mayEdit
            if (!isMove || place === null) return
            event.preventDefault()
            const position = place.index + by
            if (position >= 0 && position < place.count) actions.update(todo, { position })
          }}
        >
          <TextWithCode text={todo.content} />
        </button>
        {todo.plan ? <PlanLink todo={todo} plan={todo.plan} /> : null}
        {todo.priority === "medium" ? null : <Priority priority={todo.priority} />}
        {isNew || !mayEdit ? null : <TodoMenu todo={todo} actions={actions} place={place} onEdit={onEdit} />}
      </div>
      {props.blockers.length > 0 && todo.status === "pending" ? <Blockers todos={props.blockers} /> : null}
      {todo.proposed && !done ? (
        <TodoProposal todo={todo} actions={actions} task={props.proposer ?? null} onOpenSession={props.onOpenSession} />
      ) : null}
      {open ? (
        <div className={styles.details}>
          <p className={styles.number}>
            #{todo.number}
            {todo.owner?.agent ? ` · worked on by @${todo.owner.agent}` : ""}
          </p>
          {todo.description === "" ? null : <p className={styles.description}>{todo.description}</p>}
          {props.details?.(todo)}
        </div>
      ) : null}
    </>
  )
}

function Blockers({ todos }: { todos: readonly Todo[] }) {
  return (
    <p className={styles.blockers}>
      <Lock size={11} aria-hidden />
      <span>Waits for {todos.map(({ number, content }) => `#${number} ${content}`).join(", ")}</span>
    </p>
  )
}
