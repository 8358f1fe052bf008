import type { ReactNode } from "react"
import styles from "./settings.module.css"

/** A part of a page of Settings under its name, with what acts on all of it beside the name. */
export function Section(props: { id: string; title: string; action?: ReactNode; children: ReactNode }) {
  const { id, title, action, children } = props
  // What vanishes in a section leaves its focus here.
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
