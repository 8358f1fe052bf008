import type { ReactNode } from "react"
import styles from "./inbox.module.css"

interface InboxSectionProps {
  title: string
  count: number
  /** There are more than `count`. */
  more?: boolean
  /** The note for an empty section; without it, an empty section is hidden. */
  empty?: string
  /** Actions for the rows. */
  actions?: ReactNode
  /** Shown below the rows. */
  after?: ReactNode
  children: ReactNode
}

/** A section of the inbox with its heading. */
export function InboxSection({ title, count, more = false, empty, actions, after, children }: InboxSectionProps) {
  if (count === 0 && empty === undefined) return null
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.heading}>
          {title}{" "}
          <span className="tabular">
            {count}
            {more ? "+" : ""}
          </span>
        </h2>
        {actions}
      </div>
      {count === 0 ? <p className={styles.empty}>{empty}</p> : <ul>{children}</ul>}
      {after}
    </section>
  )
}
