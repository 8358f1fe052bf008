import styles from "./ended-note.module.css"

/** Says to whom a page sent here why it could not go on. */
export function EndedNote() {
  return (
    <p className={styles.note} role="alert">
      You are not signed in any more: it ran out or was ended, or you were removed from the workspace. If signing in
      does not work, ask an administrator.
    </p>
  )
}
