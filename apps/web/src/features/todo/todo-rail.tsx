"use client"

import { useTree, useTreeState } from "@docket/client/react"
import type { TaskSummary, Todo } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { GripVertical, History } from "lucide-react"
import { useId, useState } from "react"
import { Can, useMe } from "../../shell/me.tsx"
import { IconButton } from "../../ui/icon-button.tsx"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import { currentTodo, todoProgress } from "./checklist-item.ts"
import styles from "./todo.module.css"
import { TodoAdd } from "./todo-add.tsx"
import board from "./todo-board.module.css"
import { openBlockers } from "./todo-edits.ts"
import { TodoEvidence } from "./todo-evidence.tsx"
import { TodoGlyph } from "./todo-glyph.tsx"
import { TodoItem } from "./todo-item.tsx"
import { TodoRollUp } from "./todo-roll-up.tsx"
import { useDragOrder } from "./use-drag-order.ts"
import { type TodoActions, useTodoEdits } from "./use-todo-edits.ts"

const TodoHistory = lazyDialog(() => import("./todo-history.tsx").then((it) => it.TodoHistory))

interface TodoRailProps {
  sessionID: string
  /** The session's current list. */
  todos: readonly Todo[]
  onOpenSession(sessionID: string): void
  onOpenPart(sessionID: string, partID: string): void
}

/** The session's todo list beside the transcript, which users can edit. Folded, it still shows the todo in progress. */
export function TodoRail({ sessionID, todos: live, onOpenSession, onOpenPart }: TodoRailProps) {
  const { todos, actions } = useTodoEdits(live, sessionID)
  const [open, setOpen] = useState(true)
  const [history, setHistory] = useState(false)
  const { can } = useMe()
  const list = useId()
  const current = currentTodo(todos)
  const openHistory = () => setHistory(true)
  return (
    <section className={styles.rail} aria-label="Todos">
      {todos.length === 0 ? (
        <p className={styles.empty}>
          No todos yet. The agent writes them when the work has steps{can("todo.edit") ? "; you can too" : ""}.
        </p>
      ) : (
        <div className={styles.head}>
          <Summary todos={todos} open={open} controls={list} onToggle={() => setOpen(!open)} />
          <IconButton label="History" className={styles.historyIcon ?? ""} onClick={openHistory}>
            <History size={14} />
          </IconButton>
        </div>
      )}
      <div id={list} className={styles.rail}>
        {open ? (
          <>
            <EditableList
              sessionID={sessionID}
              todos={todos}
              actions={actions}
              onOpenSession={onOpenSession}
              onOpenPart={onOpenPart}
            />
            <Can do="todo.edit">
              <TodoAdd onAdd={actions.add} />
              <p className={board.note}>The agent is told of your changes at its next step.</p>
            </Can>
          </>
        ) : current ? (
          <p className={styles.item} data-status={current.status}>
            <TodoGlyph status={current.status} />
            <span className={styles.content}>
              <TextWithCode text={current.content} />
            </span>
          </p>
        ) : null}
      </div>
      <TodoRollUp sessionID={sessionID} onOpenSession={onOpenSession} />
      {/* Also for a list that was cleared: its history is what is left of it. */}
      {todos.length === 0 ? (
        <Button
          variant="subtle"
          color="gray"
          className={board.history ?? ""}
          leftSection={<History size={13} aria-hidden />}
          onClick={openHistory}
        >
          History
        </Button>
      ) : null}
      {history ? (
        <TodoHistory
          sessionID={sessionID}
          todos={live}
          onClose={() => setHistory(false)}
          onOpenPart={(partID) => {
            setHistory(false)
            onOpenPart(sessionID, partID)
          }}
        />
      ) : null}
    </section>
  )
}

function Summary(props: { todos: readonly Todo[]; open: boolean; controls: string; onToggle(): void }) {
  const { done, total } = todoProgress(props.todos)
  return (
    <button
      type="button"
      className={styles.summary}
      aria-expanded={props.open}
      aria-controls={props.controls}
      onClick={props.onToggle}
    >
      <span className={styles.count}>
        {done} of {total}
      </span>
      <progress className={styles.progress} value={done} max={Math.max(1, total)} aria-label="Todos done" />
      <span className={styles.fold}>{props.open ? "Hide" : "Show"}</span>
    </button>
  )
}

interface EditableListProps {
  sessionID: string
  todos: Todo[]
  actions: TodoActions
  onOpenSession(sessionID: string): void
  onOpenPart(sessionID: string, partID: string): void
}

const noTasks: Record<string, TaskSummary> = {}

function EditableList({ sessionID, todos, actions, onOpenSession, onOpenPart }: EditableListProps) {
  const tasks = useTreeState(useTree(sessionID), (view) => view.tree?.tasks ?? noTasks)
  const drag = useDragOrder((from, to) => {
    const todo = todos[from]
    if (todo) actions.update(todo, { position: to })
  })
  if (todos.length === 0) return null
  return (
    <ul className={board.list} aria-label="Todos" data-drop-end={drag.over === todos.length}>
      {todos.map((todo, index) => (
        <li
          key={todo.id}
          className={board.item}
          data-dragged={drag.from === index}
          data-drop={drag.over === index}
          {...drag.target(index)}
        >
          <TodoItem
            todo={todo}
            actions={actions}
            blockers={openBlockers(todo, todos)}
            place={{ index, count: todos.length }}
            proposer={(todo.proposed && tasks[todo.proposed.taskID]) ?? null}
            onOpenSession={onOpenSession}
            handle={
              <Can do="todo.edit">
                <span aria-hidden className={board.handle} {...drag.handle(index)}>
                  <GripVertical size={12} />
                </span>
              </Can>
            }
            details={(item) => <TodoEvidence todo={item} onOpenPart={onOpenPart} />}
          />
        </li>
      ))}
    </ul>
  )
}
