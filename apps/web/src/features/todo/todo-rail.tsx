"use client"

import { useId, useState } from "react"
import { type ChecklistItem, currentTodo, todoProgress } from "./checklist-item.ts"
import styles from "./todo.module.css"
import { TodoGlyph } from "./todo-glyph.tsx"
import { TodoList } from "./todo-list.tsx"

interface TodoRailProps {
  /** The session's last list; it replaces whatever was shown before. */
  todos: readonly ChecklistItem[]
  /** Starts folded to the current item (phone). */
  folded?: boolean
}

/** The todo list beside the transcript. Folded, it still shows what is being worked on. */
export function TodoRail({ todos, folded = false }: TodoRailProps) {
  const [open, setOpen] = useState(!folded)
  const list = useId()
  const { done, total } = todoProgress(todos)
  const current = currentTodo(todos)
  if (todos.length === 0)
    return <p className={styles.empty}>No todos yet. The agent writes them when the work has steps.</p>
  return (
    <section className={styles.rail} aria-label="Todos">
      <button
        type="button"
        className={styles.summary}
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.count}>
          {done} of {total}
        </span>
        <progress className={styles.progress} value={done} max={Math.max(1, total)} aria-label="Todos done" />
        <span className={styles.fold}>{open ? "Hide" : "Show"}</span>
      </button>
      <div id={list}>
        {open ? (
          <TodoList todos={todos} />
        ) : current ? (
          <p className={styles.item} data-status={current.status}>
            <TodoGlyph status={current.status} />
            <span className={styles.content}>{current.content}</span>
          </p>
        ) : null}
      </div>
    </section>
  )
}
