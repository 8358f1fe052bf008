import styles from "./ended-note.module.css"

/** Tells a user whose sign-in has ended why they are here. */
export function EndedNote() {
  return (
    <p className={styles.note} role="alert">
      You are not signed in any more: it ran out or was ended, or you were removed from the workspace. If signing in
      does not work, ask an administrator.
    </p>
  )
}
