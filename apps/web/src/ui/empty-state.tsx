import type { ReactNode } from "react"
import styles from "./notice.module.css"

/** One sentence and at most one action. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.notice}>
      <p>{children}</p>
      {action}
    </div>
  )
}
