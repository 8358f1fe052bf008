import { TextWithCode } from "../../ui/text-with-code.tsx"
import type { ChecklistItem } from "./checklist-item.ts"
import styles from "./todo.module.css"
import { TodoGlyph } from "./todo-glyph.tsx"

interface TodoListProps {
  todos: readonly ChecklistItem[]
  label?: string
  /** Id of an item to highlight. */
  marked?: string
}

/** A read-only checklist. It has no state of its own, so server-rendered pages use it too. */
export function TodoList({ todos, label = "Todos", marked }: TodoListProps) {
  if (todos.length === 0) return <p className={styles.empty}>The list is empty.</p>
  return (
    <ul className={styles.list} aria-label={label}>
      {todos.map((todo) => (
        <li
          key={todo.id}
          className={styles.item}
          data-status={todo.status}
          data-marked={todo.id === marked || undefined}
        >
          <TodoGlyph status={todo.status} />
          <span className={styles.content}>
            <TextWithCode text={todo.content} />
          </span>
          {todo.priority === "medium" ? null : <Priority priority={todo.priority} />}
        </li>
      ))}
    </ul>
  )
}

/** High and low priority as an arrow; medium has none. */
export function Priority({ priority }: { priority: "high" | "low" }) {
  return (
    <span className={styles.priority} data-priority={priority} title={`${priority} priority`}>
      <span aria-hidden>{priority === "high" ? "↑" : "↓"}</span>
      <span className="visually-hidden">{priority} priority</span>
    </span>
  )
}
