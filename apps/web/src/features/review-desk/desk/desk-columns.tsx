import type { ReactNode } from "react"
import styles from "../review-page.module.css"
import type { Columns } from "./use-columns.ts"

interface DeskColumnsProps {
  columns: Columns
  tree: ReactNode
  /** The task itself. */
  children: ReactNode
  inspector: ReactNode
  /** The verdicts and comments, below the task. */
  foot: ReactNode
}

/** The list of tasks, one task and its inspector, side by side if the screen is wide enough. */
export function DeskColumns({ columns, tree, children, inspector, foot }: DeskColumnsProps) {
  return (
    <div className={styles.columns}>
      {columns.tree ? (
        <nav className={styles.tree} aria-label="Delegated tasks">
          {tree}
        </nav>
      ) : null}
      {children}
      {columns.inspector ? (
        <section className={styles.inspector} aria-label="About this task">
          {inspector}
        </section>
      ) : null}
      {foot}
    </div>
  )
}
