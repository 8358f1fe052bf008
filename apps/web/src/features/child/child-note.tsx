import heading from "../../ui/task-heading.module.css"
import styles from "./child.module.css"

/** Shown instead of the composer for a child that users cannot send messages to, with the reason. */
export function ChildNote({ agent, why }: { agent: string; why: string }) {
  return (
    <p className={styles.note}>
      You are reading along with <span className={heading.agent}>@{agent}</span>. {why}
    </p>
  )
}
