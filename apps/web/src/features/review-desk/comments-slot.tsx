import { formatCount } from "../../ui/format-count.ts"
import styles from "./inspector.module.css"
import type { Desk } from "./use-desk.ts"

/** The inspector's tab of what people say in threads. */
export function CommentsTab({ desk }: { desk: Desk }) {
  const threads = desk.review?.threads ?? { open: 0, resolved: 0 }
  if (threads.open + threads.resolved === 0) return <p className={styles.empty}>Nobody has said anything here yet.</p>
  return (
    <p className={styles.empty}>
      {formatCount(threads.open, "open thread")}, {threads.resolved} resolved.
    </p>
  )
}
