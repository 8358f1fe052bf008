import type { ReactNode } from "react"
import styles from "./settings.module.css"

/** A section of a Settings page with its heading, and an action beside the heading. */
export function Section(props: { id: string; title: string; action?: ReactNode; children: ReactNode }) {
  const { id, title, action, children } = props
  // Focusable: it receives focus when a focused element in the section is removed.
  const heading = (
    <h2 id={id} tabIndex={-1} className={styles.heading}>
      {title}
    </h2>
  )
  return (
    <section className={styles.section} aria-labelledby={id}>
      {action ? (
        <div className={styles.headingRow}>
          {heading}
          {action}
        </div>
      ) : (
        heading
      )}
      {children}
    </section>
  )
}
