import type { TodoStatus } from "@docket/core/schema"
import { todoStatusLabel } from "./checklist-item.ts"
import styles from "./todo.module.css"

/** ○ to do, ◐ in progress, ✓ done, – cancelled: distinguished by shape as well as colour. */
export function TodoGlyph({ status }: { status: TodoStatus }) {
  return (
    <svg
      className={`${styles.glyph} ${styles[status]}`}
      viewBox="0 0 14 14"
      role="img"
      aria-label={todoStatusLabel[status]}
    >
      {status === "completed" ? (
        <path d="M2.5 7.5 5.6 10.5 11.5 4" />
      ) : status === "cancelled" ? (
        <path d="M3 7h8" />
      ) : (
        <circle cx="7" cy="7" r="5" />
      )}
      {status === "in_progress" ? <path className={styles.half} d="M7 2a5 5 0 0 0 0 10z" /> : null}
    </svg>
  )
}
