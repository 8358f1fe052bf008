import heading from "../../ui/task-heading.module.css"
import styles from "./child.module.css"

/** Stands where the composer is at the root, for a child that people cannot speak to: why. */
export function ChildNote({ agent, why }: { agent: string; why: string }) {
  return (
    <p className={styles.note}>
      You are reading along with <span className={heading.agent}>@{agent}</span>. {why}
    </p>
  )
}
