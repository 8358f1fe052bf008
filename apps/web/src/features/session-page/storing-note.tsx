import styles from "./session-page.module.css"

/** The work is over, and its end waits for the database: until then the session takes no other prompt up. */
export function StoringNote({ reason }: { reason: string }) {
  return (
    <p role="status" className={styles.storing}>
      The work has ended, but that cannot be stored yet: {reason} It is tried again until it is.
    </p>
  )
}
