import type { ReactNode } from "react"
import styles from "../login/login.module.css"

/** A page for who is not in yet: the name, what this is, and what to do. */
export function Door({
  title,
  text,
  busy = false,
  children,
}: {
  title: string
  text: string
  busy?: boolean
  children?: ReactNode
}) {
  return (
    <main className={styles.page} aria-busy={busy}>
      <div className={styles.panel}>
        <p className={styles.brand}>Docket</p>
        <h1 className={styles.title}>{title}</h1>
        <p role="status">{text}</p>
        {children}
      </div>
    </main>
  )
}
