import type { ReactNode } from "react"
import styles from "./notice.module.css"

/** A note for an empty list: one sentence and at most one action. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.notice}>
      <p>{children}</p>
      {action}
    </div>
  )
}
