import type { ReactNode } from "react"
import styles from "../login/login.module.css"

/** A page for visitors who are not signed in: a title, an explanation, and the next step. */
export function SignedOutPage({
  title,
  text,
  note,
  busy = false,
  children,
}: {
  title: string
  text: string
  /** Why the user must sign in again. */
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
