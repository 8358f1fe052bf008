import styles from "./child.module.css"

/** Stands where the composer is at the root: a child takes its orders from its parent. */
export function ChildNote({ agent }: { agent: string }) {
  return (
    <p className={styles.note}>
      You are reading along. <span className={styles.agent}>@{agent}</span> takes its work from the session above.
    </p>
  )
}
