import { Lock } from "lucide-react"
import styles from "./session-page.module.css"

/** Says that nobody else sees the session: its author alone reads this page. */
export function PrivateMark() {
  return (
    <span className={styles.private} title="Only you see this session. Show it to everybody here in its menu.">
      <Lock size={12} aria-hidden />
      <span className={styles.archivedWord}>Only you</span>
    </span>
  )
}
