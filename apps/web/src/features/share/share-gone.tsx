import styles from "./share.module.css"

/** What a dead link shows. It does not tell whether the link ever existed. */
export function ShareGone() {
  return (
    <main className={styles.gone}>
      <h1>This link no longer works</h1>
      <p>
        It was revoked or has expired, or the session was deleted. Ask the person who gave you the link for a new one.
      </p>
    </main>
  )
}
