import styles from "./session-page.module.css"

/** The work has ended, but its end is not stored yet. Until then the session accepts no other prompt. */
export function StoringNote({ reason }: { reason: string }) {
  return (
    <p role="status" className={styles.storing}>
      The work has ended, but that cannot be stored yet: {reason} It is tried again until it is.
    </p>
  )
}
