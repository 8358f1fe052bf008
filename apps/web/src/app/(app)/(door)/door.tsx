import type { ReactNode } from "react"
import styles from "../login/login.module.css"

/** A page for who is not in yet: the name, what this is, and what to do. */
export function Door({
  title,
  text,
  note,
  busy = false,
  children,
}: {
  title: string
  text: string
  /** Why somebody stands here again. */
  note?: ReactNode
  busy?: boolean
  children?: ReactNode
}) {
  return (
    <main className={styles.page} aria-busy={busy}>
      <div className={styles.panel}>
        {note}
        <p className={styles.brand}>Docket</p>
        <h1 className={styles.title}>{title}</h1>
        <p role="status">{text}</p>
        {children}
      </div>
    </main>
  )
}
